// The drawing: both objects, axes, ranges and displacement lines, by three.js. Positions come in double precision and are
// sent to the graphics card relative to the object's centre and size, so that nothing shakes far from the origin.
"use strict";
const drawing = (() => {
  const HIDDEN = 0.3; // opacity of what lies behind the parts
  const SHELL = 0.5; // opacity of parts that never move, so that one sees what is inside
  const GHOST = 0.5;
  const EDGES_UP_TO = 60_000; // triangles of a scene whose creases are drawn
  const ORDER = { hidden: 1, lines: 2, marks: 2.2, ghostDepth: 3, ghost: 4, shellDepth: 5, shell: 6 };

  class Drawing {
    constructor(canvas, data, buffer) {
      this.data = data;
      this.canvas = canvas;
      this.renderer = new THREE.WebGLRenderer({ canvas, antialias: true, preserveDrawingBuffer: true });
      this.scene = new THREE.Scene();
      this.lamp = new THREE.DirectionalLight(0xffffff, 2.3);
      this.scene.add(new THREE.AmbientLight(0xffffff, 1.5), this.lamp, this.lamp.target);
      this.geometries = data.meshes.map((mesh) => makeGeometry(mesh, buffer));
      const triangles = data.parts.reduce((sum, part) => sum + data.meshes[part.mesh].faces, 0);
      this.edges = triangles <= EDGES_UP_TO ? this.geometries.map((g) => new THREE.EdgesGeometry(g, 30)) : null;
      this.makeMaterials();
      this.links = {}; // side -> a group for each link
      for (const [side, object] of Object.entries(data.objects)) {
        this.links[side] = object.links.map(() => this.fixedGroup(this.scene));
      }
      this.parts = data.parts.map((part) => this.makePart(part));
      this.stand = data.rows.map((row) => this.makeStandIns(row));
      this.rows = data.rows.map((row) => this.makeRow(row));
      this.marks = this.makeMarks();
      this.makeCamera();
      new ResizeObserver(() => this.resize()).observe(canvas.parentElement);
      matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => this.paint());
      this.paint();
      this.resize();
    }

    // ---- materials: one of each kind, coloured by the style sheet

    makeMaterials() {
      const offset = (n) => ({ polygonOffset: true, polygonOffsetFactor: n, polygonOffsetUnits: 2 * n });
      const sides = { side: THREE.DoubleSide, ...offset(1) }; // back a little: edges lie on top
      const solid = (more) => new THREE.MeshLambertMaterial({ flatShading: true, ...sides, ...more });
      const depth = (more) => new THREE.MeshBasicMaterial({ colorWrite: false, transparent: true, ...sides, ...more });
      const behind = offset(3); // where truth and prediction agree, the truth is seen
      const once = { transparent: true, depthWrite: false }; // after its own depth: blended once, however many layers
      const line = (width, more) => new THREE.LineMaterial({ linewidth: width, transparent: true, ...more });
      const front = offset(-2);
      const unseen = { depthFunc: THREE.GreaterDepth, depthWrite: false, opacity: HIDDEN };
      this.materials = {
        fixed: solid(), truth: solid(), carried: solid(),
        shell: solid({ ...once, opacity: SHELL }), shellDepth: depth({}),
        ghost: solid({ ...once, ...behind, opacity: GHOST }), ghostDepth: depth(behind),
        edge: new THREE.LineBasicMaterial({ transparent: true, opacity: 0.45 }),
        truthLine: line(5), truthUnseen: line(5, unseen), truthThin: line(2), truthTip: new THREE.MeshBasicMaterial(),
        predictionLine: line(2.5, front), predictionUnseen: line(2.5, unseen), predictionThin: line(1.2, front),
        predictionTip: new THREE.MeshBasicMaterial(front),
        wrongLine: line(2), wrongUnseen: line(2, { ...unseen, opacity: 0.55 }),
      };
    }

    paint() {
      const style = getComputedStyle(document.documentElement);
      const colour = (name) => new THREE.Color(style.getPropertyValue(name).trim());
      this.renderer.setClearColor(colour("--ground"));
      const colours = {
        fixed: "--fixed-part", shell: "--fixed-part", truth: "--truth-part", carried: "--carried-part",
        ghost: "--prediction-part", edge: "--edge", wrongLine: "--displacement", wrongUnseen: "--displacement",
      };
      for (const [name, material] of Object.entries(this.materials)) {
        const side = name.match(/^(truth|prediction)(Line|Unseen|Thin|Tip)$/);
        if (side) material.color.copy(colour(`--${side[1]}`));
        else if (colours[name]) material.color.copy(colour(colours[name]));
      }
      this.draw();
    }

    // ---- what is in the scene

    fixedGroup(parent) {
      const group = new THREE.Group();
      group.matrixAutoUpdate = false;
      parent.add(group);
      return group;
    }

    // A placement in the units of the drawing, where a point p (m) stands at (p - centre) / size.
    matrixOf(placement, scale = 1) {
      const { centre, size } = this.data;
      const r = placement, t = motion.apply(placement, centre).map((x, i) => (x - centre[i]) / size);
      return new THREE.Matrix4().set(
        r[0] * scale, r[1] * scale, r[2] * scale, t[0], r[4] * scale, r[5] * scale, r[6] * scale, t[1],
        r[8] * scale, r[9] * scale, r[10] * scale, t[2], 0, 0, 0, 1);
    }

    shown(point) {
      const { centre, size } = this.data;
      return new THREE.Vector3(...point.map((x, i) => (x - centre[i]) / size));
    }

    // A mesh of a part under the group of a link; local coordinates in m.
    makePart(part, group = this.links[part.side][part.link]) {
      const { centre, size } = this.data;
      const r = part.pose, s = 1 / size;
      const holder = this.fixedGroup(group);
      holder.matrix.set(
        r[0] * s, r[1] * s, r[2] * s, (r[3] - centre[0]) * s, r[4] * s, r[5] * s, r[6] * s, (r[7] - centre[1]) * s,
        r[8] * s, r[9] * s, r[10] * s, (r[11] - centre[2]) * s, 0, 0, 0, 1);
      const colour = new THREE.Mesh(this.geometries[part.mesh]);
      const depth = new THREE.Mesh(this.geometries[part.mesh]);
      holder.add(colour, depth);
      let edges = null;
      if (this.edges) {
        edges = new THREE.LineSegments(this.edges[part.mesh], this.materials.edge);
        holder.add(edges);
      }
      return { ...part, holder, colour, depth, edges };
    }

    // The true part of a pair, to be moved by the prediction: what d measures.
    makeStandIns(row) {
      if (row.owner !== "truth" || !row.sides.prediction) return [];
      const links = new Set(row.sides.truth.links);
      const [side, link] = row.frames.prediction;
      return this.data.parts
        .filter((part) => part.side === "truth" && links.has(part.link))
        .map((part) => this.makePart(part, this.links[side][link]));
    }

    makeRow(row) {
      const groups = [];
      for (const [name, side] of Object.entries(row.sides)) {
        if (!side.moves) continue;
        const group = this.fixedGroup(this.links[name][side.parent]);
        const thick = this.range(name, row, side, false), thin = this.range(name, row, side, true);
        group.add(...thick, ...thin);
        const dot = new THREE.Mesh(new THREE.SphereGeometry(0.006, 20, 12), this.materials[`${name}Tip`]);
        this.scene.add(dot);
        groups.push({ name, side, group, thick, thin, dot });
      }
      return groups;
    }

    // The axis as an arrow, and the path of a point: an arc, a stroke or a helix that ends in an arrow at the upper limit.
    range(name, row, side, thin) {
      const lines = [];
      const [low, high] = [...side.interval].sort((a, b) => a - b);
      const turns = side.kind !== "prismatic";
      const whole = turns && !side.pitch && high - low >= 2 * Math.PI * 0.999;
      const steps = turns ? Math.max(24, Math.min(720, Math.ceil((high - low) * 16))) : 1;
      const at = (q) => motion.apply(motion.exp(side.screw, q), row.point);
      const path = Array.from({ length: steps + 1 }, (_, i) => at(low + ((high - low) * i) / steps));
      lines.push({ points: path, arrow: !whole && high > low });
      const along = path.length > 1 ? this.shown(path[1]).sub(this.shown(path[0])) : new THREE.Vector3();
      if (turns) {
        const offset = row.point.map((x, i) => x - side.origin[i]);
        const height = offset.reduce((sum, x, i) => sum + x * side.axis[i], 0);
        const end = (sign) => side.origin.map((x, i) => x + side.axis[i] * (height + (sign * row.reach) / 2));
        lines.push({ points: [end(-1), end(1)], arrow: true });
      }
      if (!whole && along.length() > 0) {
        // A stroke across the path at each limit.
        const axis = new THREE.Vector3(...side.axis);
        const across = turns ? axis : new THREE.Vector3(...perpendicular(side.axis));
        for (const end of [path[0], path[path.length - 1]]) {
          const half = across.clone().multiplyScalar(0.04 * row.reach);
          const tick = [-1, 1].map((sign) => end.map((x, i) => x + sign * half.getComponent(i)));
          lines.push({ points: tick, arrow: false });
        }
      }
      const objects = [];
      const segments = lines.flatMap(({ points }) => points.slice(1).flatMap((p, i) => [points[i], p]));
      const geometry = new THREE.LineSegmentsGeometry();
      geometry.setPositions(segments.flatMap((p) => this.shown(p).toArray()));
      const seen = new THREE.LineSegments2(geometry, this.materials[`${name}${thin ? "Thin" : "Line"}`]);
      seen.renderOrder = ORDER.lines + (name === "prediction" ? 0.1 : 0);
      objects.push(seen);
      if (!thin) {
        const unseen = new THREE.LineSegments2(geometry, this.materials[`${name}Unseen`]);
        unseen.renderOrder = ORDER.hidden;
        objects.push(unseen);
        for (const { points, arrow } of lines) if (arrow) objects.push(this.tip(name, row, points));
      }
      return objects;
    }

    tip(name, row, points) {
      const end = this.shown(points[points.length - 1]);
      const back = this.shown(points[points.length - 2]);
      const scale = Math.min(0.09, (0.16 * row.reach) / this.data.size);
      const width = name === "truth" ? 0.22 : 0.15;
      const cone = new THREE.Mesh(new THREE.ConeGeometry(width * scale, scale, 20), this.materials[`${name}Tip`]);
      const direction = end.clone().sub(back).normalize();
      cone.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), direction);
      cone.position.copy(end).addScaledVector(direction, -scale / 2);
      cone.renderOrder = ORDER.lines + (name === "prediction" ? 0.1 : 0);
      return cone;
    }

    // Displacement lines of the material points, set anew at every update.
    makeMarks() {
      const geometry = new THREE.LineSegmentsGeometry();
      geometry.setPositions(new Array(36).fill(0));
      const lines = new THREE.LineSegments2(geometry, this.materials.wrongLine);
      const unseen = new THREE.LineSegments2(geometry, this.materials.wrongUnseen);
      lines.renderOrder = unseen.renderOrder = ORDER.marks;
      lines.frustumCulled = unseen.frustumCulled = false;
      const ball = new THREE.SphereGeometry(0.004, 12, 8);
      const second = "prediction" in this.data.objects ? "predictionTip" : "truthTip";
      const dots = Array.from({ length: 12 }, (_, i) => new THREE.Mesh(ball, this.materials[i < 6 ? "truthTip" : second]));
      const group = new THREE.Group();
      group.add(lines, unseen, ...dots);
      this.scene.add(group);
      return { geometry, dots, group };
    }

    // ---- camera

    makeCamera() {
      const { eye, target, field_of_view } = this.data.camera;
      this.camera = new THREE.PerspectiveCamera(40, 1, 0.01, 100);
      this.camera.up.set(0, 0, 1);
      this.fieldOfView = field_of_view;
      this.controls = new THREE.OrbitControls(this.camera, this.canvas);
      this.controls.addEventListener("change", () => this.draw());
      this.home = { eye: this.shown(eye), target: this.shown(target) };
      this.resetCamera();
    }

    resetCamera() {
      const { eye, target } = this.home;
      // Turn about a point inside the object: the one on the line of sight nearest to the centre.
      const sight = target.clone().sub(eye).normalize();
      const distance = Math.max(0.05, -eye.dot(sight));
      this.camera.position.copy(eye);
      this.controls.target.copy(eye).addScaledVector(sight, distance);
      this.controls.minDistance = 0.02;
      this.controls.maxDistance = 20 * distance;
      this.camera.near = distance / 200;
      this.camera.far = 50 * distance;
      this.controls.update();
      this.draw();
    }

    resize() {
      const { clientWidth: width, clientHeight: height } = this.canvas.parentElement;
      if (!width || !height) return;
      this.renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
      this.renderer.setSize(width, height, false);
      const aspect = width / height, half = Math.tan(this.fieldOfView / 2);
      this.camera.aspect = aspect;
      this.camera.fov = (360 / Math.PI) * Math.atan(half * Math.max(1, this.data.camera.aspect / aspect));
      this.camera.updateProjectionMatrix();
      this.draw();
    }

    // ---- updates

    // placements: side -> one per link; row: the selected one or null; ghost: "own", "truth" or "whole"; axes: of every row.
    update({ placements, row, ghost, axes }) {
      this.row = row;
      for (const [side, groups] of Object.entries(this.links)) {
        groups.forEach((group, i) => group.matrix.copy(this.matrixOf(placements[side][i])));
      }
      const rows = row === null ? this.data.rows : [this.data.rows[row]];
      const bodies = { truth: new Set(), prediction: new Set() }, carried = { truth: new Set(), prediction: new Set() };
      for (const { sides } of rows) {
        for (const [name, side] of Object.entries(sides)) {
          side.links.forEach((link) => bodies[name].add(link));
          side.carried.forEach((link) => carried[name].add(link));
        }
      }
      for (const part of this.parts) {
        const moves = carried[part.side].has(part.link);
        if (part.side === "truth") {
          const never = this.data.objects.truth.links[part.link].still;
          dress(part, this.materials, bodies.truth.has(part.link) ? "truth" : moves ? "carried" : never ? "shell" : "fixed");
        } else {
          dress(part, this.materials, "ghost");
          part.holder.visible = ghost === "whole" || (ghost === "own" && moves) || (ghost === "truth" && moves && !this.paired(part));
        }
      }
      this.stand.forEach((parts, k) => {
        for (const part of parts) {
          dress(part, this.materials, "ghost");
          part.holder.visible = ghost === "truth" && (row === null || row === k);
        }
      });
      this.rows.forEach((groups, k) => {
        for (const { name, side, group, thick, thin, dot } of groups) {
          group.visible = k === row || axes;
          thick.forEach((object) => (object.visible = k === row));
          thin.forEach((object) => (object.visible = k !== row));
          dot.visible = k === row;
          const link = this.data.rows[k].sides[name].child;
          dot.position.copy(this.shown(motion.apply(placements[name][link], this.data.rows[k].point)));
        }
      });
      this.updateMarks(placements, row);
      this.draw();
    }

    // Whether a predicted part has a true one that stands in for it.
    paired(part) {
      return this.data.rows.some((row) => row.owner === "truth" && row.sides.prediction?.links.includes(part.link));
    }

    updateMarks(placements, row) {
      const ends = row === null ? null : ends_of(this.data.rows[row], placements);
      this.marks.group.visible = ends !== null;
      if (!ends) return;
      const shown = ends.map((points) => points.map((p) => this.shown(p)));
      const [first, second] = shown;
      const positions = first.flatMap((p, i) => [...p.toArray(), ...second[i].toArray()]);
      this.marks.geometry.setPositions(positions);
      this.marks.dots.forEach((dot, i) => dot.position.copy(shown[i < 6 ? 0 : 1][i % 6]));
    }

    draw() {
      if (!this.camera || this.waiting) return;
      this.waiting = requestAnimationFrame(() => {
        this.waiting = null;
        this.drawNow();
      });
    }

    drawNow() {
      this.lamp.position.copy(this.camera.localToWorld(new THREE.Vector3(-0.5, 0.65, 0.57)));
      this.lamp.target.position.copy(this.camera.position);
      this.renderer.render(this.scene, this.camera);
    }

    // The row whose part is at a point of the canvas (pixels), or null.
    pick(x, y) {
      const { width, height } = this.canvas.getBoundingClientRect();
      const ray = new THREE.Raycaster();
      ray.setFromCamera(new THREE.Vector2((2 * x) / width - 1, 1 - (2 * y) / height), this.camera);
      const seen = [...this.parts, ...this.stand.flat()].filter((part) => part.holder.visible);
      const hits = ray.intersectObjects(seen.map((part) => part.colour), false);
      for (const hit of hits) {
        const part = seen.find((p) => p.colour === hit.object);
        if (part.side === "truth" && this.data.objects.truth.links[part.link].still) continue; // the shell is glass
        const row = this.data.rows.findIndex((r) => r.sides[part.side]?.links.includes(part.link));
        if (row >= 0) return row;
      }
      return null;
    }

    png() {
      this.drawNow();
      return this.canvas.toDataURL("image/png");
    }
  }

  // ---- small helpers

  // The six material points of a row in both objects, m, or null without a body.
  function ends_of(row, placements) {
    if (!row.body) return null;
    return ["truth", "prediction"].map((name) => {
      const [side, link] = row.frames[name];
      return row.body.points.map((p) => motion.apply(placements[side][link], p));
    });
  }

  function makeGeometry(mesh, buffer) {
    const geometry = new THREE.BufferGeometry();
    geometry.setAttribute("position", new THREE.BufferAttribute(new Float32Array(buffer, mesh.at, 3 * mesh.vertices), 3));
    const Index = mesh.wide ? Uint32Array : Uint16Array;
    geometry.setIndex(new THREE.BufferAttribute(new Index(buffer, mesh.at + 12 * mesh.vertices, 3 * mesh.faces), 1));
    return geometry;
  }

  // Gives a part its look: solid, or translucent after its own depth.
  function dress(part, materials, look) {
    const glass = look === "shell" || look === "ghost";
    part.colour.material = materials[look];
    part.depth.visible = glass;
    if (glass) part.depth.material = materials[`${look}Depth`];
    part.colour.renderOrder = ORDER[look] ?? 0;
    part.depth.renderOrder = ORDER[`${look}Depth`] ?? 0;
    if (part.edges) {
      part.edges.visible = look !== "ghost";
      part.edges.renderOrder = ORDER[look] ?? 0.5;
    }
    part.holder.visible = true;
  }

  function perpendicular(axis) {
    const size = axis.map(Math.abs);
    const least = size.indexOf(Math.min(...size));
    const across = motion.cross(axis, [0, 1, 2].map((i) => (i === least ? 1 : 0)));
    const length = Math.hypot(...across);
    return across.map((x) => x / length);
  }

  return { Drawing, ends: ends_of };
})();
