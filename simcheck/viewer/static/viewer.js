// The page: the list of joints with their sliders, play, and the hooks that tests use. Drawing is in scene.js, motion in motion.js.
"use strict";
(() => {
  const data = JSON.parse(document.getElementById("scene").textContent);
  const PERIOD = 4000; // ms of one movement there and back
  const FEW = 8; // rows up to which the axes of all are drawn at first
  const NUMBERS = [["E_B", "E_B", "m"], ["d", "d", "m"], ["E_alpha", "E_α", ""], ["E_alpha_phi", "E_α^φ", ""]];
  const find = (id) => document.getElementById(id);
  const make = (tag, properties = {}) => Object.assign(document.createElement(tag), properties);

  const state = {
    fractions: data.rows.map(() => null), // null: at rest
    row: data.row,
    ghost: data.ghost,
    axes: data.rows.length <= FEW,
    playing: false,
  };
  const overlaid = "prediction" in data.objects;
  let view = null; // the drawing; null without WebGL

  // ---- where everything is

  // Every link below a side's own, with it.
  for (const row of data.rows) {
    for (const [name, side] of Object.entries(row.sides)) {
      const below = new Set([side.child]);
      data.objects[name].links.forEach((link, i) => below.has(link.parent) && below.add(i));
      side.carried = [...below];
    }
  }

  const joints = {}; // side -> joint name -> row
  for (const side of Object.keys(data.objects)) {
    joints[side] = new Map(data.rows.flatMap((row, k) => (row.sides[side] ? [[row.sides[side].joint, k]] : [])));
  }

  function coordinate(side, joint) {
    const row = joints[side].get(joint);
    if (row === undefined || state.fractions[row] === null) return 0;
    const [first, last] = data.rows[row].sides[side].interval, f = state.fractions[row];
    return (1 - f) * first + f * last;
  }

  function placements() {
    return Object.fromEntries(
      Object.entries(data.objects).map(([side, object]) => [side, motion.placements(object.links, (j) => coordinate(side, j))]));
  }

  function apart(row, where = placements()) {
    const { body, frames } = data.rows[row];
    if (!body) return null;
    const [first, second] = ["truth", "prediction"].map((name) => where[frames[name][0]][frames[name][1]]);
    return motion.apart(first, second, body);
  }

  // The fraction that the slider of a row at rest shows: that of the owner's coordinate 0.
  function restFraction(row) {
    const [first, last] = row.sides[row.owner].interval;
    return first === last ? 0 : Math.min(1, Math.max(0, -first / (last - first)));
  }

  // ---- the list

  const number = (x) => {
    if (x === null) return "–";
    const size = Math.abs(x);
    if (size === 0) return "0";
    return size >= 1e-3 && size < 1e4 ? String(Number(x.toPrecision(4))) : x.toExponential(2).replace("e+", "e");
  };
  const degrees = (x) => `${Number(((180 / Math.PI) * x).toPrecision(4))}°`;
  const shownCoordinate = (side, q) => (side.kind === "prismatic" ? `${number(q)} m` : degrees(q));

  function makeCard(row, k) {
    const card = make("li", { className: "card" });
    card.dataset.row = k;
    const head = make("button", { type: "button", className: "head" });
    const kinds = [...new Set(Object.values(row.sides).map((side) => side.kind))].join(" → ");
    head.append(make("span", { className: "name", textContent: row.name }), make("span", { className: "kind", textContent: kinds }));
    head.addEventListener("click", () => select(state.row === k ? null : k));
    const slider = make("input", { type: "range", min: 0, max: 1, step: 0.001 });
    slider.setAttribute("aria-label", `${row.name}: fraction of the range`);
    slider.addEventListener("input", () => {
      stop();
      if (state.row !== k) state.row = k;
      setFraction(k, Number(slider.value));
    });
    const numbers = make("dl", { className: "numbers" });
    for (const [key, label, unit] of NUMBERS) {
      const value = row.numbers[key];
      const shown = make("dd", { textContent: number(value) });
      if (unit && value !== null) shown.append(make("span", { className: "unit", textContent: ` ${unit}` }));
      const pair = make("div");
      pair.append(make("dt", { textContent: label }), shown);
      numbers.append(pair);
    }
    const now = make("p", { className: "now" });
    const more = make("div", { className: "more" });
    if (row.sentence) more.append(make("p", { className: "sentence", textContent: row.sentence }));
    for (const remark of row.remarks) more.append(make("p", { className: "remark", textContent: remark }));
    card.append(head, slider, now, numbers, more);
    return { card, slider, now, head };
  }

  const cards = data.rows.map(makeCard);
  find("joints").append(...cards.map(({ card }) => card));

  function showCard(k, where) {
    const { card, slider, now, head } = cards[k], row = data.rows[k], f = state.fractions[k];
    card.classList.toggle("selected", k === state.row);
    head.setAttribute("aria-expanded", k === state.row);
    slider.value = f === null ? restFraction(row) : f;
    const places = Object.entries(row.sides).map(([name, side]) => {
      const q = coordinate(name, side.joint);
      return Object.keys(row.sides).length > 1 ? `${name} ${side.moves ? shownCoordinate(side, q) : "fixed"}` : shownCoordinate(side, q);
    });
    const distance = apart(k, where);
    const word = row.paired ? "apart" : overlaid ? "from where it would be fixed" : "from rest";
    const measured = distance === null || (f === null && !overlaid) ? "" : `: ${number(distance)} m ${word}`;
    now.textContent = `${f === null ? "at rest" : `at ${Math.round(100 * f)} % (${places.join(", ")})`}${measured}`;
  }

  function arrange() {
    const key = find("sort").value;
    const order = data.rows.map((_, k) => k);
    if (key === "name") {
      const natural = new Intl.Collator("en", { numeric: true });
      order.sort((a, b) => natural.compare(data.rows[a].name, data.rows[b].name));
    } else if (key !== "") {
      const value = (k) => data.rows[k].numbers[key] ?? -Infinity;
      order.sort((a, b) => value(b) - value(a) || a - b);
    }
    find("joints").append(...order.map((k) => cards[k].card));
  }

  function search() {
    const wanted = find("search").value.toLowerCase();
    data.rows.forEach((row, k) => (cards[k].card.hidden = !row.name.toLowerCase().includes(wanted)));
  }

  // ---- changes

  function refresh() {
    const where = placements();
    cards.forEach((_, k) => showCard(k, where));
    view?.update({ placements: where, row: state.row, ghost: state.ghost, axes: state.axes });
  }

  function setFraction(row, fraction) {
    state.fractions[row] = fraction;
    refresh();
  }

  function select(row) {
    stop();
    state.row = row;
    refresh();
    if (row !== null) cards[row].card.scrollIntoView({ block: "nearest" });
  }

  function rest() {
    stop();
    state.fractions.fill(null);
    refresh();
  }

  // Moves the selected row, or every row when none is selected, from end to end and back until stopped.
  function play() {
    if (state.playing) return stop();
    state.playing = true;
    find("play").textContent = "Stop";
    const rows = state.row === null ? data.rows.map((_, k) => k) : [state.row];
    const phases = rows.map((k) => Math.acos(1 - 2 * (state.fractions[k] ?? restFraction(data.rows[k]))));
    const start = performance.now();
    const step = (time) => {
      if (!state.playing) return;
      const turned = (2 * Math.PI * Math.max(0, time - start)) / PERIOD;
      rows.forEach((k, i) => (state.fractions[k] = 0.5 - 0.5 * Math.cos(phases[i] + turned)));
      refresh();
      requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  }

  function stop() {
    state.playing = false;
    find("play").textContent = "Play";
  }

  function savePicture() {
    const name = state.row === null ? data.name : `${data.name}_${data.rows[state.row].name}`;
    make("a", { href: view.png(), download: `${name.replace(/[^\w.-]+/g, "_")}.png` }).click();
  }

  find("play").disabled = find("rest").disabled = data.rows.length === 0;
  find("play").addEventListener("click", play);
  find("rest").addEventListener("click", rest);
  find("reset").addEventListener("click", () => view.resetCamera());
  find("save").addEventListener("click", savePicture);
  find("axes").checked = state.axes;
  find("axes").addEventListener("change", () => {
    state.axes = find("axes").checked;
    refresh();
  });
  find("sort").addEventListener("change", arrange);
  find("search").addEventListener("input", search);
  find("ghost").value = state.ghost;
  find("ghost").addEventListener("change", () => {
    state.ghost = find("ghost").value;
    refresh();
  });

  // A click on a part selects its joint; a drag turns the view.
  const canvas = find("canvas");
  let pressed = null;
  canvas.addEventListener("pointerdown", (event) => (pressed = [event.clientX, event.clientY]));
  canvas.addEventListener("pointerup", (event) => {
    const still = pressed && Math.hypot(event.clientX - pressed[0], event.clientY - pressed[1]) < 4;
    pressed = null;
    if (!still || event.button !== 0) return;
    const box = canvas.getBoundingClientRect();
    const row = view.pick(event.clientX - box.left, event.clientY - box.top);
    if (row !== null && row !== state.row) select(row);
  });

  // ---- start

  async function start() {
    if (state.row !== null) state.fractions[state.row] = data.fraction;
    refresh();
    if (!hasWebGL()) throw new Error("this browser has no WebGL 2");
    const buffer = await unpack(find("meshes").textContent.trim());
    view = new drawing.Drawing(canvas, data, buffer);
    refresh();
  }

  function hasWebGL() {
    return document.createElement("canvas").getContext("webgl2") !== null;
  }

  // Without a drawing the sliders and numbers still work beside the picture.
  function withoutDrawing(error) {
    document.body.classList.add("flat");
    canvas.hidden = true;
    find("why").textContent = `No three-dimensional view here: ${error.message}. Sliders and numbers work all the same.`;
    for (const id of ["reset", "save", "axes"]) find(id).disabled = true;
  }

  const ready = start()
    .catch(withoutDrawing)
    .then(() => {
      if (view) view.drawNow();
      document.body.dataset.ready = view ? "drawn" : "flat";
    });

  // For tests and for the curious: names and numbers, row by row (3 x 4) placements, metres and radians.
  window.simcheck = {
    ready,
    rows: data.rows.map((row) => row.name),
    set: (row, fraction) => setFraction(row, fraction),
    select,
    rest,
    png: () => view.png(),
    drawing: () => view,
    state() {
      const where = placements();
      const byName = (side) =>
        Object.fromEntries(data.objects[side].links.map((link, i) => [link.name, [where[side][i], motion.compose(where[side][i], link.rest)]]));
      return {
        row: state.row,
        playing: state.playing,
        fractions: [...state.fractions],
        coordinates: Object.fromEntries(
          Object.entries(joints).map(([side, names]) => [side, Object.fromEntries([...names.keys()].map((j) => [j, coordinate(side, j)]))])),
        placements: Object.fromEntries(
          Object.keys(data.objects).map((side) => [side, Object.fromEntries(Object.entries(byName(side)).map(([n, [p]]) => [n, p]))])),
        poses: Object.fromEntries(
          Object.keys(data.objects).map((side) => [side, Object.fromEntries(Object.entries(byName(side)).map(([n, [, p]]) => [n, p]))])),
        points: state.row === null ? null : drawing.ends(data.rows[state.row], where),
        apart: data.rows.map((_, k) => apart(k, where)),
      };
    },
  };
})();
