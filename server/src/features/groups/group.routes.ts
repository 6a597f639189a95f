import { type AssignmentGroups, listGroups, saveGroup, setException, takeGroups } from '@assay/shared/groups.ts'
import { compareNames, nameOf } from '@assay/shared/rules/person-name.ts'
import type { Router } from 'express'
import { recordAudit } from '../../audit/audit.service.ts'
import { withDatabaseLock } from '../../lib/database/database-lock.ts'
import { notFound } from '../../lib/http/app-error.ts'
import { type Actor, handle } from '../../lib/http/handle.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import type { GroupDoc } from '../../records/assignments/group.model.ts'
import { markScoresChanged } from '../../records/lti/mark-scores-changed.ts'
import { peopleOf } from '../../records/submissions/people-of-paper.ts'
import type { Services } from '../../services.ts'
import { hidesNames, requireNamesShown } from '../anonymity/hidden-names.ts'
import { requireAssignmentFor } from '../assignments/assignment.service.ts'
import { refreshReleasedScores } from '../grades/released-scores.ts'
import { lmsWithGroups, readLmsGroups } from '../lti/roster/lms-groups.ts'
import { findGroups, memberIds, storeException } from '../submissions/group-members.ts'
import { loadMatchingRoster, requireRosterStudent } from '../submissions/matching/name-index.ts'
import { notifySubmissionChanged } from '../submissions/submission.events.ts'
import { requireSubmission } from '../submissions/submission.service.ts'
import { submissionsByStudent } from '../submissions/submission-owners.ts'
import { usersById } from '../users/user.service.ts'
import { changeGroups, newGroup, placeInGroups, requireRoom, takenOut, withMembers } from './group.service.ts'
import { createStudentFinder, readGroupsCsv } from './groups-csv.ts'

export function groupRoutes(router: Router, services: Services): void {
  const { clock } = services

  /** Which paper changes with a group would tell whose it is. */
  const openToChange = async (actor: Actor, assignmentId: number) =>
    requireNamesShown(await requireAssignmentFor(actor, assignmentId))

  handle(router, listGroups, async ({ params, actor }) =>
    presentGroups(await requireAssignmentFor(actor, params.assignmentId)),
  )

  handle(router, saveGroup, async ({ params, body, actor }) => {
    const assignment = await openToChange(actor, params.assignmentId)
    const ids = [...new Set(body.student_ids)]
    const roster = new Set((await loadMatchingRoster(assignment.course_id)).map(({ _id }) => _id))
    await changeGroups(assignment, actor, services, async (groups, now) => {
      const named = groups.find(({ _id }) => _id === body.id)
      if (body.id !== undefined && !named) throw notFound('This group does not exist any more.')
      const fresh = ids.filter((id) => !named || !memberIds(named).includes(id))
      if (fresh.length > 0) requireRoom(assignment, ids.length)
      for (const id of fresh)
        if (!roster.has(id)) await requireRosterStudent(assignment.course_id, id, ['body', 'student_ids'])
      const group = named ?? (await newGroup(assignment._id, groups, { ids: [] }, now))
      const others = takenOut(groups, fresh, group._id).filter(({ _id }) => _id !== group._id)
      return [...others, { ...withMembers(group, ids, now), name: body.name || group.name }]
    })
    return presentGroups(assignment)
  })

  handle(router, takeGroups, async ({ params, body, actor, signal }) => {
    const assignment = await openToChange(actor, params.assignmentId)
    const { max } = requireRoom(assignment, 0)
    const roster = await loadMatchingRoster(assignment.course_id)
    const { wanted, failures } =
      body.csv === null
        ? await readLmsGroups(assignment.course_id ?? 0, roster, services, signal)
        : readGroupsCsv(body.csv, createStudentFinder(roster, { checked: false }))
    const large = wanted.filter(({ ids }) => ids.length > max)
    const fit = wanted.filter((group) => !large.includes(group))
    await changeGroups(assignment, actor, services, (groups, now) => placeInGroups(assignment._id, groups, fit, now))
    const tooLarge = ({ name, ids }: (typeof wanted)[number]) =>
      `“${name}” has ${ids.length} students; up to ${max} may work together.`
    return { ...(await presentGroups(assignment)), failures: [...large.map(tooLarge), ...failures] }
  })

  handle(router, setException, async ({ params, body: { exception }, actor }) => {
    const assignment = await openToChange(actor, params.assignmentId)
    const submission = await requireSubmission(params)
    const { studentId } = params
    if (!peopleOf(submission).includes(studentId)) throw notFound('This student is not one of this paper’s.')
    const before = submission.member_points?.find(({ student_id }) => student_id === studentId) ?? null
    // One at a time, as it stores those of all.
    await withDatabaseLock(`groups/${assignment._id}`, async () =>
      storeException(await requireSubmission(params), studentId, exception, clock.now()),
    )
    const subject = { assignment_id: assignment._id, submission_id: submission._id, student_id: studentId }
    await recordAudit(actor, 'grade.exception_set', subject, clock.now(), { before, after: exception })
    await refreshReleasedScores(assignment._id, [submission._id])
    await markScoresChanged(assignment._id)
    await notifySubmissionChanged(await requireSubmission(params), services)
    return { message: exception ? 'The exception is saved.' : 'The exception is removed.' }
  })
}

async function presentGroups(assignment: AssignmentDoc): Promise<AssignmentGroups> {
  const [groups, roster, lms] = await Promise.all([
    findGroups(assignment._id),
    loadMatchingRoster(assignment.course_id),
    lmsWithGroups(assignment.course_id),
  ])
  const hidden = hidesNames(assignment)
  const grouped = new Set(groups.flatMap(memberIds))
  const named = groups.flatMap((group) => [...memberIds(group), ...group.changes.map(({ student_id }) => student_id)])
  const [users, papers] = await Promise.all([
    usersById(named),
    hidden ? new Map<number, number[]>() : submissionsByStudent(assignment._id, [...grouped]),
  ])
  const person = (id: number) => {
    const { username = `#${id}`, full_name = null } = users.get(id) ?? {}
    return { id, username, full_name }
  }
  const standing = (group: GroupDoc) =>
    [...new Map(group.changes.map((change) => [change.student_id, change])).values()].filter(({ what, student_id }) =>
      what === 'joined' ? memberIds(group).includes(student_id) : !grouped.has(student_id),
    )
  return {
    rule: assignment.groups ?? null,
    groups: groups.map((group) => {
      const own = memberIds(group).flatMap((id) => papers.get(id) ?? [])
      return {
        id: group._id,
        name: group.name,
        members: memberIds(group).map(person),
        submission_id: own.length > 0 ? Math.max(...own) : null,
        changes: (hidden ? [] : standing(group)).map(({ student_id, what, at }) => ({
          ...{ student_id, name: nameOf(person(student_id)), what },
          at: at.toISOString(),
        })),
      }
    }),
    alone: roster
      .filter(({ _id }) => !grouped.has(_id))
      .sort(compareNames)
      .map(({ _id, username, full_name }) => ({ id: _id, username, full_name })),
    lms,
  }
}
