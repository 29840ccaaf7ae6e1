// Where a joint puts a link, in double precision: the formulas of metric/se3.py and metric/discrepancy.py.
// A placement is a rotation and a translation, row by row: [r00 r01 r02 x  r10 r11 r12 y  r20 r21 r22 z].
"use strict";
const motion = (() => {
  const REST = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0];

  const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];

  // A = sin t/t, B = (1 - cos t)/t^2, C = (t - sin t)/t^3, by their series near 0.
  function coefficients(square) {
    if (square < 1e-3) {
      const series = (terms) => terms.reduceRight((sum, c) => sum * -square + 1 / c, 0);
      return [series([1, 6, 120, 5040, 362880]), series([2, 24, 720, 40320, 3628800]), series([6, 120, 5040, 362880, 39916800])];
    }
    const angle = Math.sqrt(square);
    const a = Math.sin(angle) / angle, half = Math.sin(angle / 2) / (angle / 2);
    return [a, (half * half) / 2, (1 - a) / square];
  }

  // exp(q xi): the placement reached by a unit screw (omega, v) at the coordinate q.
  function exp(screw, q) {
    if (q === 0) return REST;
    const [x, y, z, ...v] = screw.map((s) => q * s);
    const [a, b, c] = coefficients(x * x + y * y + z * z);
    const once = cross([x, y, z], v), twice = cross([x, y, z], once);
    const t = v.map((s, i) => s + b * once[i] + c * twice[i]);
    return [
      1 - b * (y * y + z * z), b * x * y - a * z, b * x * z + a * y, t[0],
      b * x * y + a * z, 1 - b * (x * x + z * z), b * y * z - a * x, t[1],
      b * x * z - a * y, b * y * z + a * x, 1 - b * (x * x + y * y), t[2],
    ];
  }

  function compose(a, b) {
    const c = new Array(12);
    for (let i = 0; i < 12; i += 4) {
      for (let j = 0; j < 4; j++) c[i + j] = a[i] * b[j] + a[i + 1] * b[4 + j] + a[i + 2] * b[8 + j];
      c[i + 3] += a[i + 3];
    }
    return c;
  }

  const apply = (a, p) => [0, 4, 8].map((i) => a[i] * p[0] + a[i + 1] * p[1] + a[i + 2] * p[2] + a[i + 3]);

  // Mass-weighted RMS distance of a body {com, factor} between two placements, m; Sigma = factor factor^T.
  function apart(a, b, body) {
    const d = a.map((x, i) => x - b[i]);
    let sum = apply(d, body.com).reduce((s, x) => s + x * x, 0);
    for (const i of [0, 4, 8]) {
      for (const k of [0, 1, 2]) {
        const x = d[i] * body.factor[0][k] + d[i + 1] * body.factor[1][k] + d[i + 2] * body.factor[2][k];
        sum += x * x;
      }
    }
    return Math.sqrt(sum);
  }

  // Placements of all links, each after its parent: coordinate(joint name) -> rad or m.
  function placements(links, coordinate) {
    const found = [];
    for (const link of links) {
      found.push(link.parent < 0 ? REST : compose(found[link.parent], exp(link.screw, coordinate(link.joint))));
    }
    return found;
  }

  return { REST, apart, apply, compose, cross, exp, placements };
})();
