// The page that checks a deal: fetches what was published after the hand, computes all of it again in this browser and
// says in plain words what was compared and with what outcome.
(async function () {
  "use strict";
  const page = document.getElementById("fair-check");
  if (!page) return;
  const EN = document.documentElement.lang === "en";
  const say = (zh, en) => (EN ? en : zh);
  const list = document.getElementById("checks"), line = document.getElementById("verdict-line");
  let good = true;

  function check(state, text, more) {
    const li = document.createElement("li");
    li.className = state;
    const icon = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    icon.setAttribute("class", "icon");
    const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
    use.setAttribute("href", state === "ok" ? "#i-check" : state === "no" ? "#i-close" : "#i-unknown");
    icon.append(use);
    const words = document.createElement("div");
    words.textContent = text;
    if (more) {
      const small = document.createElement("div");
      small.className = "hex";
      small.textContent = more;
      words.append(small);
    }
    li.append(icon, words);
    list.append(li);
    if (state === "no") good = false;
  }

  function face(card) {
    const span = document.createElement("span"), b = document.createElement("b");
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
    const joker = card[0] === "w" || card[0] === "W";
    span.className = "mini " + (joker ? (card[0] === "W" ? "big" : "small") + (card === "W!" ? " crown" : "") : { S: "s", H: "h", C: "c", D: "d" }[card[1]]);
    b.textContent = joker ? (card[0] === "W" ? say("大", "B") : say("小", "S")) : card[0] === "T" ? "10" : card[0];
    use.setAttribute("href", joker ? (card === "W!" ? "#i-crown" : card === "w!" ? "#i-sword" : "#j-" + card[0]) : "#s-" + card[1]);
    svg.append(use);
    span.append(b, svg);
    return span;
  }

  function shown(name, cards, same) {
    const order = (card) => "W! W w! w".split(" ").includes(card) ? "W! W w! w".split(" ").indexOf(card) : 10 + "2AKQJT9876543".indexOf(card[0]) * 4 + "SHCD".indexOf(card[1]);
    const box = document.createElement("div"), head = document.createElement("p"), row = document.createElement("div");
    head.textContent = name + say("：", ": ") + cards.length + say("张，", " cards, ") + (same ? say("和实际发的一张不差", "exactly as dealt") : say("和实际发的不一样", "NOT as dealt"));
    row.className = "minis";
    cards.slice().sort((a, b) => order(a) - order(b)).forEach((card) => row.append(face(card)));
    box.append(head, row);
    document.getElementById("dealt").append(box);
  }

  function stored(commit) {
    try { return localStorage.getItem("baohuang-share-" + commit); } catch (error) { return null; }
  }

  try {
    const answer = await fetch(page.dataset.deal, { credentials: "same-origin" });
    if (!answer.ok) throw new Error("HTTP " + answer.status);
    const data = await answer.json();
    const made = await Deal.recompute(data, Sha2, Sha2.best);

    check(made.commit === data.commit ? "ok" : "no",
      made.commit === data.commit ? say("服务器的随机数和发牌前公布的指纹对得上：它没有换过。", "The server's random number matches the commitment shown before the deal.")
        : say("服务器的随机数和指纹对不上！", "The server's random number does not match its commitment!"), made.commit);

    const mine = stored(data.commit), seat = page.dataset.seat;
    if (mine !== null && seat !== "") {
      const same = data.clients[Number(seat)] === mine;
      check(same ? "ok" : "no", same ? say("你的浏览器是在看到这串指纹以后才给的随机数，洗牌用的正是它。", "Your browser gave its random number after it had seen this commitment, and the shuffle used exactly that.")
        : say("洗牌用的不是你这个浏览器给的随机数。如果你换过设备，请在那台设备上再看。", "The shuffle did not use this browser's number. If you changed devices, check on the other one."), mine);
    } else {
      check("na", seat === "" ? say("你没有坐在这一局里，没有可比的随机数。", "You did not sit in this hand, so there is no number of yours to compare.")
        : say("这个浏览器没有给这一局留下随机数（例如坐下就发了牌，或者换过设备）。", "This browser kept no number for this hand."));
    }

    const others = data.clients.filter((text) => text).length;
    check("na", say(`五家里有 ${others} 家的浏览器给了随机数；机器人不给。`, `${others} of five seats contributed a number; bots do not.`));

    const deckOk = Deal.wellOrdered(data.deck);
    check(deckOk ? "ok" : "no", deckOk ? say(`洗牌前是一副按规定顺序排好的牌，共 ${data.deck.length} 张。`, `Before the shuffle the ${data.deck.length} cards lay in the fixed order.`)
      : say("洗牌前的牌序不对。", "The unshuffled deck is not in the fixed order."));

    made.hands.forEach((hand, i) => {
      const same = Deal.sameCards(hand, data.hands[i]);
      if (!same) good = false;
      shown(data.names[i], hand, same);
    });
    const allSame = made.hands.every((hand, i) => Deal.sameCards(hand, data.hands[i]));
    check(allSame ? "ok" : "no", allSame ? say("照这些随机数重新洗牌、发牌，五家的每一张都和实际一样。", "Shuffled and dealt again from these numbers, every card of every seat is the same.")
      : say("重新发出来的牌和实际不一样！", "The deal computed again differs!"));
    if (data.reserve_crown) {
      const same = made.drawn === data.drawn;
      check(same ? "ok" : "no", same ? say(`皇牌抽到 ${data.names[made.drawn]}，和重算的一样。`, `The crown card was drawn for ${data.names[made.drawn]}, as computed.`)
        : say("抽皇牌的座位和重算的不一样！", "The drawn seat differs!"));
    }
    const shared = mine !== null && seat !== "" && data.clients[Number(seat)] === mine;
    const nobody = others === 0;
    line.textContent = good ? (nobody ? say("牌和发牌前公布的指纹对得上，中途没有换过；但这一局没有任何人的浏览器给过随机数，洗牌只用了服务器自己的。", "The deal agrees with the commitment and was not changed on the way; but nobody's browser had a share in it: the shuffle used the server's number alone.")
      : shared ? say("核对通过：你的随机数在里面，这一局的牌没有人能事先安排。", "Checked: your number is in it, so nobody could have arranged this deal.")
      : say("核对通过：从发牌前的指纹到每一张牌都对得上，中途没有换过。", "Checked: from the commitment to every card everything matches; nothing was changed on the way.")) : say("核对没有通过，请看下面哪一条不对。", "Not confirmed: see below what differs.");
    page.dataset.checked = good ? "ok" : "no";
    const raw = document.getElementById("raw");
    [["server_seed", data.server_seed], ["commit", data.commit], ...data.clients.map((text, i) => [data.names[i], text || "—"])].forEach(([name, text]) => {
      const dt = document.createElement("dt"), dd = document.createElement("dd");
      dt.textContent = name;
      dd.textContent = text;
      dd.className = "hex";
      raw.append(dt, dd);
    });
  } catch (error) {
    line.textContent = say("没能取到这一局的数据，请刷新再试。", "The data of this hand could not be fetched; please reload.");
    page.dataset.checked = "no";
  }
})();
