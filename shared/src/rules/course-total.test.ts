import fc from 'fast-check'
import { expect, it } from 'vitest'
import { courseTotal, type GradebookRules, type GradeInCourse } from './course-total.ts'
import { roundPercent } from './points.ts'

/** Hundredths of points; halves are frequent, so that some are equal. */
const grade = fc.oneof(
  fc.record({ given: fc.integer({ min: 0, max: 4000 }), of: fc.integer({ min: 4, max: 40 }) }),
  fc.constantFrom({ given: 500, of: 10 }, { given: 1000, of: 20 }),
)
const setting = fc.record({ counts: fc.boolean(), weight: fc.integer({ min: 1, max: 4000 }) })
const course = fc
  .tuple(fc.array(fc.tuple(grade, fc.option(setting)), { maxLength: 12 }), fc.integer({ min: 0, max: 6 }))
  .map(([list, drop_lowest]): { grades: GradeInCourse[]; rules: GradebookRules } => ({
    grades: list.map(([{ given, of }], i) => ({
      assignment_id: i + 1,
      points: { given: Math.min(given, 100 * of) / 100, of },
    })),
    rules: {
      drop_lowest,
      assignments: list.flatMap(([, set], i) =>
        set ? [{ assignment_id: i + 1, ...set, weight: set.weight / 4 }] : [],
      ),
    },
  }))

/** Whole numbers have no residue: every total of points up to 40 divides these units. */
const UNITS = 5_342_931_457_063_200n
function exactTotal({ grades, rules }: { grades: GradeInCourse[]; rules: GradebookRules }): number | null {
  const counting = grades.flatMap(({ assignment_id: id, points }) => {
    const set = rules.assignments.find(({ assignment_id }) => assignment_id === id) ?? { counts: true, weight: 1 }
    const share = (BigInt(Math.round(100 * points.given)) * UNITS) / BigInt(points.of)
    return set.counts ? [{ id, share, weight: BigInt(4 * set.weight) }] : []
  })
  for (let dropped = 0; dropped < rules.drop_lowest && counting.length > 1; dropped++) {
    const lowest = counting.reduce((a, b) =>
      b.share < a.share || (b.share === a.share && b.weight > a.weight) ? b : a,
    )
    counting.splice(counting.indexOf(lowest), 1)
  }
  const weight = counting.reduce((sum, one) => sum + one.weight, 0n)
  if (weight === 0n) return null
  // Tenths of a percent, a half up.
  const sum = counting.reduce((all, one) => all + one.share * one.weight, 0n)
  return Number((20n * sum + UNITS * weight) / (2n * UNITS * weight)) / 10
}

it('a total is to its last digit the weighted mean of what counts, without the lowest', () => {
  fc.assert(
    fc.property(course, ({ grades, rules }) => {
      const { percent, counted, dropped } = courseTotal(grades, rules)
      expect(percent === null ? null : roundPercent(percent)).toBe(exactTotal({ grades, rules }))
      expect(dropped.size).toBe(Math.min(rules.drop_lowest, Math.max(0, counted.size + dropped.size - 1)))
      expect([...dropped].filter((id) => counted.has(id))).toEqual([])
    }),
  )
})

it('dropping one more never lowers a total, and neither order nor the scale of the weights changes one', () => {
  fc.assert(
    fc.property(course, ({ grades, rules }) => {
      const { percent } = courseTotal(grades, rules)
      const more = courseTotal(grades, { ...rules, drop_lowest: rules.drop_lowest + 1 }).percent
      expect((more ?? 0) - (percent ?? 0)).toBeGreaterThan(-1e-9)
      const all = grades.map(({ assignment_id }) => {
        const set = rules.assignments.find((one) => one.assignment_id === assignment_id)
        return { assignment_id, counts: set?.counts ?? true, weight: 7 * (set?.weight ?? 1) }
      })
      const scaled = courseTotal(grades.toReversed(), { ...rules, assignments: all }).percent
      expect(scaled).toEqual(percent === null ? null : expect.closeTo(percent, 9))
    }),
  )
})

it('what has no percentage, being of bonus questions alone, counts in no total', () => {
  const bonus = { assignment_id: 1, points: { given: 2, of: 0 } }
  expect(courseTotal([bonus], { drop_lowest: 1, assignments: [] }).percent).toBeNull()
})
