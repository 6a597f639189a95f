import { expect, it } from 'vitest'
import { type AssignmentDates, dateProblems, extensionProblems, handInWindow, PlannedTime } from './dates.ts'

const at = (day: number, hour = 12) => new Date(Date.UTC(2026, 8, day, hour))
const dates: AssignmentDates = { available_at: at(1), due_at: at(10), closes_at: at(12), late_rule: 'mark_late' }
const unset: AssignmentDates = { available_at: null, due_at: null, closes_at: null, late_rule: 'refuse' }

it('is open from publishing on where no date is set', () => {
  expect(handInWindow(unset, null, at(5))).toEqual({ state: 'open', late: false, due_at: null, closes_at: null })
})

it('holds each date for the whole minute that screens show', () => {
  const states = (minute: number, second: number) => {
    const moment = new Date(Date.UTC(2026, 8, 10, 20, 54, 30))
    const now = new Date(Date.UTC(2026, 8, 10, 20, minute, second))
    const one = (part: Partial<AssignmentDates>) => handInWindow({ ...unset, ...part }, null, now).state
    return [one({ available_at: moment }), one({ due_at: moment }), one({ closes_at: moment })]
  }
  expect([states(53, 59), states(54, 0), states(54, 59), states(55, 0)]).toEqual([
    ['upcoming', 'open', 'open'],
    ['open', 'open', 'open'],
    ['open', 'open', 'open'],
    ['open', 'closed', 'closed'],
  ])
})

it('goes from upcoming to open, overdue and closed; a date belongs to what it ends', () => {
  const states = [at(1, 11), at(1), at(10), at(10, 13), at(12), at(12, 13)].map(
    (now) => handInWindow(dates, null, now).state,
  )
  expect(states).toEqual(['upcoming', 'open', 'open', 'overdue', 'overdue', 'closed'])
})

it('accepts late work by the rule, and calls what a teacher takes after closing late', () => {
  const late = (late_rule: AssignmentDates['late_rule'], day = 11) =>
    handInWindow({ ...dates, late_rule }, null, at(day))
  expect(late('accept')).toMatchObject({ state: 'overdue', late: false })
  expect(late('mark_late')).toMatchObject({ state: 'overdue', late: true })
  expect(late('mark_late', 13)).toMatchObject({ state: 'closed', late: true })
  expect(late('refuse')).toMatchObject({ state: 'closed', late: false })
})

it('gives a student with an extension their own dates, and never closes before their due date', () => {
  const extended = { due_at: at(20), closes_at: null }
  expect(handInWindow(dates, extended, at(15))).toMatchObject({ state: 'open', due_at: at(20), closes_at: at(20) })
  expect(handInWindow(dates, { due_at: at(20), closes_at: at(22) }, at(21)).state).toBe('overdue')
})

it('never shortens time by an extension: where everyone has more by now, so has this student', () => {
  const shorter = { due_at: at(5), closes_at: at(6) }
  expect(handInWindow(dates, shorter, at(10))).toMatchObject({ state: 'open', due_at: at(10), closes_at: at(12) })
  expect(handInWindow(unset, { due_at: at(5), closes_at: null }, at(6))).toMatchObject({ state: 'open' })
})

it('names dates that are out of order at the later of the two', () => {
  const fields = (part: Partial<AssignmentDates>) => dateProblems({ ...dates, ...part }).map(({ field }) => field)
  expect(fields({})).toEqual([])
  expect(fields({ due_at: at(1) })).toEqual(['due_at'])
  expect(fields({ closes_at: at(10) })).toEqual([])
  expect(fields({ closes_at: at(9) })).toEqual(['closes_at'])
  expect(fields({ due_at: null, closes_at: at(1) })).toEqual(['closes_at'])
  expect(fields({ available_at: null, due_at: null, closes_at: null })).toEqual([])
})

it('recognizes an extension by its giving more time', () => {
  const problems = (due: number, closes: number | null) =>
    extensionProblems({ due_at: at(due), closes_at: closes ? at(closes) : null }, dates).map(({ field }) => field)
  expect(problems(11, null)).toEqual([])
  expect(problems(10, null)).toEqual(['due_at'])
  expect(problems(15, 14)).toEqual(['closes_at'])
  expect(extensionProblems({ due_at: at(15), closes_at: null }, { ...dates, due_at: null })).toHaveLength(1)
})

it('rejects years that are typing errors', () => {
  const takes = (moment: string) => PlannedTime.safeParse(moment).success
  expect(takes('2026-11-20T12:00:00Z')).toBe(true)
  expect([takes('0202-11-20T12:00:00Z'), takes('9999-12-31T23:00:00Z'), takes('tomorrow')]).toEqual([
    false,
    false,
    false,
  ])
})
