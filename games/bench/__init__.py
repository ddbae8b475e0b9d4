"""Load for measuring: a server of its own, tables full of socket clients that really play, and the figures of it.

Nothing here is used by the site. Clients know what the public protocol tells them and nothing else.
"""
