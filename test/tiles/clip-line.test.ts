import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import fc from 'fast-check';
import { clipPolyline, type Point } from 'lineclip';

suite('the package cuts a line at the edges of a square', () => {
  test('is cut where it enters and leaves, and falls into parts where it comes back', () => {
    const line: Point[] = [
      [-5, 5],
      [5, 5],
      [5, 15],
      [8, 15],
      [8, 5],
    ];
    assert.deepEqual(clipPolyline(line, [0, 0, 10, 10]), [
      [
        [0, 5],
        [5, 5],
        [5, 10],
      ],
      [
        [8, 10],
        [8, 5],
      ],
    ]);
    const inside: Point[] = [
      [1, 1],
      [2, 3],
      [9, 9],
    ];
    assert.deepEqual(clipPolyline(inside, [0, 0, 10, 10]), [inside]);
    assert.deepEqual(
      clipPolyline(
        [
          [-1, 5],
          [5, 12],
        ],
        [0, 0, 3, 3],
      ),
      [],
    );
  });

  test('holds exactly the points of the line that lie inside', () => {
    const coordinate = fc.integer({ min: -30, max: 30 });
    const lines = fc.array(fc.tuple(coordinate, coordinate), { minLength: 2, maxLength: 8 });
    fc.assert(
      fc.property(lines, (line) => {
        const length = (points: readonly Point[]) =>
          points.reduce(
            (sum, [x, y], at) => (at === 0 ? 0 : sum + Math.hypot(x - points[at - 1][0], y - points[at - 1][1])),
            0,
          );
        const parts = clipPolyline(line, [-10, -10, 10, 10]);
        for (const part of parts) for (const [x, y] of part) assert.ok(Math.abs(x) < 10.0001 && Math.abs(y) < 10.0001);
        // The same by many small steps.
        const steps = 400;
        let expected = 0;
        for (let at = 1; at < line.length; at++) {
          const [[x0, y0], [x1, y1]] = [line[at - 1], line[at]];
          for (let step = 0; step < steps; step++) {
            const share = (step + 0.5) / steps;
            if (Math.abs(x0 + (x1 - x0) * share) <= 10 && Math.abs(y0 + (y1 - y0) * share) <= 10)
              expected += Math.hypot(x1 - x0, y1 - y0) / steps;
          }
        }
        const found = parts.reduce((sum, part) => sum + length(part), 0);
        assert.ok(Math.abs(found - expected) <= 0.25 * line.length, `${found} ${expected}`);
      }),
      { numRuns: 200 },
    );
  });
});
