import { getLmsScores, type LmsScore, type LmsScoresOfLink, listLmsScores } from '@assay/shared/lti/lti-scores.ts'
import { expect } from 'vitest'
import type { LineItem, Link } from '../../../../tests/fake-lms/data/lms-data.ts'
import { scorePoints } from '../../features/lti/scores/score-values.ts'
import { LtiResourceLinkModel } from '../../records/lti/resource-link.model.ts'
import type { Week } from './week-steps.ts'

/** Holds everything that Assay says of the gradebook against the gradebook. Assay and the LMS are up, and nothing is under way. */
export async function expectGradebookTold(week: Week): Promise<void> {
  const { school, one } = week
  const teacher = school.api.as(one.teacher)
  const params = { assignmentId: one.assignmentId }
  const scores = (await teacher.send(getLmsScores, { params })).body
  const rows = (await teacher.send(listLmsScores, { params, query: { limit: 500 } })).body
  expect(scores.published).toBe(week.published)
  for (const told of scores.links) {
    const stored = await LtiResourceLinkModel.findById(told.link_id).lean()
    const link = school.lms.links.get(stored?.resource_link_id ?? '')
    const ofLink = rows.filter((row) => row.link_id === told.link_id)
    if (!link) expectNothingCounted(told, ofLink)
    else expectLinkTold(week, told, ofLink, itemOf(week, link, stored?.lineitem_url ?? null))
  }
}

function itemOf({ school }: Week, link: Link, url: string | null): LineItem | null {
  const items = school.lms.lineItemsOf(link)
  return items.find((item) => school.lms.lineItemUrl(item) === url) ?? null
}

/** Of an activity that is not there nothing is counted as being there. */
function expectNothingCounted({ counts }: LmsScoresOfLink, rows: LmsScore[]): void {
  expect(counts).toMatchObject({ sent: 0, waiting: 0, sending: 0, in_gradebook: 0, different: 0, missing: 0 })
  expect(rows.filter(({ result }) => result !== null)).toEqual([])
}

function expectLinkTold(week: Week, told: LmsScoresOfLink, rows: LmsScore[], item: LineItem | null): void {
  const { one } = week
  expect({ gone: told.gone_since, checking: told.checking, problem: told.problem }).toEqual({
    ...{ gone: null, checking: false, problem: null },
  })
  const counted = { waiting: 0, sending: 0, refused: 0, in_gradebook: 0, different: 0, missing: 0 }
  for (const [index, { person, account, submissionId }] of one.students.entries()) {
    const row = rows.find(({ student_id }) => student_id === account._id)
    const grade = item?.grades.get(person.id) ?? null
    const isActive = one.course.members.has(person.id)
    const wanted = scorePoints(week.percents[index] ?? 0, item?.scoreMaximum ?? 100)
    const about = `student ${index}, ${JSON.stringify({ row, grade, isActive, wanted })}`
    // Nobody with a released score is left without one, and what was sent is what is released.
    if (isActive && week.published) {
      expect(row?.submission_id, about).toBe(submissionId)
      expect({ state: row?.state, points: row?.recorded?.points }, about).toEqual({ state: 'sent', points: wanted })
    }
    if (row?.state !== 'sent') continue
    const shown = row.result
    if (isActive) expect(shown, about).not.toBeNull()
    if (!shown) continue
    expect(shown.state, about).toBe(stateOf(row, grade))
    // One loss is made good by itself; a second may have come before the gradebook showed the score again.
    if (isActive && week.published && shown.state === 'missing')
      expect(week.reasonsToRepeat[index], about).toBeGreaterThan(1)
    // Points are those that somebody would see there.
    if (shown.state !== 'missing' && shown.state !== 'unknown') expect(shown.points, about).toBe(grade?.points ?? null)
    if (row.cleared) continue
    if (shown.state === 'same') counted.in_gradebook++
    if (shown.state === 'different') counted.different++
    if (shown.state === 'missing' && isActive) counted.missing++
  }
  expect(told.counts).toMatchObject(counted)
}

/** What is to be said of a score that was sent, by what the LMS has. */
function stateOf({ recorded, result }: LmsScore, grade: { points: number | null } | null) {
  const points = grade?.points ?? null
  if (!recorded) return points === null ? 'same' : 'different'
  if (points !== null) return Math.abs(points - recorded.points) < 0.01 ? 'same' : 'different'
  if (grade !== null) return 'different'
  // An LMS that has never shown a result may show none at all.
  return result?.state === 'unknown' ? 'unknown' : 'missing'
}

/** A score that the LMS had taken was sent once more only where it may have been lost, or somebody asked. */
export function expectNoRepeats({ school, one, reasonsToRepeat, setThere, interruptions }: Week): void {
  for (const item of school.lms.lineItems.values())
    for (const [index, { person }] of one.students.entries()) {
      const bodies = item.accepted.filter((score) => score.person === person).map(({ body }) => body)
      const repeated = bodies.filter(
        ({ scoreGiven, comment }, i) =>
          i > 0 && bodies[i - 1]?.scoreGiven === scoreGiven && bodies[i - 1]?.comment === comment,
      )
      // After an interruption the LMS is asked for the score; where another was set there, it cannot say whether ours has arrived.
      const allowed = (reasonsToRepeat[index] ?? 0) + (setThere.has(index) ? interruptions : 0)
      expect(repeated.length, `student ${index}: ${JSON.stringify(bodies)}`).toBeLessThanOrEqual(allowed)
    }
}
