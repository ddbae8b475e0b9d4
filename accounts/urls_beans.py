"""Addresses of the pages about beans."""

from django.urls import path

from accounts.views import beans

app_name = "beans"
urlpatterns = [
    path("", beans.beans, name="statement"),
    path("relief/", beans.take_relief, name="relief"),
]
