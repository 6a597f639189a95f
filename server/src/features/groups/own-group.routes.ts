import {
  changeOwnGroup,
  getOwnGroup,
  MAX_INVITATIONS,
  type OwnGroup,
  type OwnGroupChange,
} from '@assay/shared/groups.ts'
import { nameOf } from '@assay/shared/rules/person-name.ts'
import type { Router } from 'express'
import { nextId } from '../../lib/database/database.ts'
import { AppError, notFound } from '../../lib/http/app-error.ts'
import { type Actor, allow, handle } from '../../lib/http/handle.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import type { GroupDoc } from '../../records/assignments/group.model.ts'
import type { Services } from '../../services.ts'
import { handInWindowOf } from '../assignments/assignment-dates.ts'
import { hasRelease } from '../grades/release.service.ts'
import { requireOwnAssignment } from '../students/student-assignment.ts'
import { findGroups, memberIds } from '../submissions/group-members.ts'
import { loadMatchingRoster } from '../submissions/matching/name-index.ts'
import { submissionsByStudent } from '../submissions/submission-owners.ts'
import { usersById } from '../users/user.service.ts'
import { changeGroups, newGroup, requireRoom, takenOut, withMembers } from './group.service.ts'
import { createStudentFinder } from './groups-csv.ts'

/** A student's own group: of others they learn who is in it, and who has invited them. */
export function ownGroupRoutes(router: Router, services: Services): void {
  handle(router, getOwnGroup, async ({ params, actor }) => {
    const { assignment } = await requireOwnAssignment(actor, params.assignmentId)
    allow('yes') // Loaded as the caller's own.
    return presentOwnGroup(assignment, actor, services.clock.now())
  })

  handle(router, changeOwnGroup, async ({ params, body, actor }) => {
    const { assignment } = await requireOwnAssignment(actor, params.assignmentId)
    allow('yes') // Loaded as the caller's own.
    const why = await whyNot(assignment, actor, services.clock.now())
    if (why !== null) throw new AppError('conflict', why)
    const invited = body.action === 'invite' ? await findInvited(assignment, body.to) : null
    const me = (await usersById([actor.id])).get(actor.id)
    await changeGroups(assignment, actor, services, (groups, now) => {
      const own = ownOf(groups, actor)
      const change = (group: GroupDoc | undefined, how: (one: GroupDoc) => GroupDoc) =>
        groups.map((one) => (one === group ? how(one) : one))
      switch (body.action) {
        case 'invite':
          return invite(assignment, groups, { actor, to: body.to, student_id: invited }, now)
        case 'withdraw':
          return change(own, (one) => without(one, ({ id }) => id === body.invitation_id))
        case 'leave':
          // With an invitation, by which they can undo it.
          return leave(groups, own, { to: me?.username ?? '', student_id: actor.id })
        default:
          return answer(assignment, groups, { actor, ...body }, now)
      }
    })
    return presentOwnGroup(assignment, actor, services.clock.now())
  })
}

type Invited = { to: string; student_id: number | null }

const ownOf = (groups: GroupDoc[], { id }: { id: number }) => groups.find((group) => memberIds(group).includes(id))
const invites = (group: GroupDoc, { id }: { id: number }) =>
  group.invitations.some(({ student_id }) => student_id === id)
const without = (group: GroupDoc, which: (one: GroupDoc['invitations'][number]) => boolean): GroupDoc => ({
  ...group,
  invitations: group.invitations.filter((one) => !which(one)),
})

async function findInvited({ course_id }: AssignmentDoc, to: string): Promise<number | null> {
  const roster = await loadMatchingRoster(course_id)
  return createStudentFinder(roster, { checked: true })(to)?._id ?? null
}

async function invite(
  assignment: AssignmentDoc,
  groups: GroupDoc[],
  { actor, to, student_id }: Invited & { actor: Actor },
  now: Date,
): Promise<GroupDoc[]> {
  const own = ownOf(groups, actor)
  const group = own ?? (await newGroup(assignment._id, groups, { ids: [actor.id] }, now))
  requireRoom(assignment, group.members.length + 1)
  const known = group.invitations.some((one) => one.to.toLowerCase() === to.toLowerCase())
  // Also one of its members: no change would say whose address or number it is.
  if (known) return groups
  if (group.invitations.length >= MAX_INVITATIONS)
    throw new AppError('conflict', 'Too many invitations wait for an answer. Withdraw one first.')
  const invitations = [...group.invitations, { id: await nextId('group_invitations'), to, student_id }]
  return [...groups.filter((one) => one !== own), { ...group, invitations }]
}

async function leave(groups: GroupDoc[], own: GroupDoc | undefined, back: Invited): Promise<GroupDoc[]> {
  const invitation = { id: await nextId('group_invitations'), ...back }
  const left = groups.map((one) => (one === own ? { ...one, invitations: [...one.invitations, invitation] } : one))
  return takenOut(left, [back.student_id ?? 0], null)
}

async function answer(
  assignment: AssignmentDoc,
  groups: GroupDoc[],
  { actor, action, group_id }: Extract<OwnGroupChange, { group_id: number }> & { actor: Actor },
  now: Date,
): Promise<GroupDoc[]> {
  const group = groups.find((one) => one._id === group_id && invites(one, actor))
  if (!group) throw notFound('This invitation does not exist any more.')
  const declined = without(group, ({ student_id }) => student_id === actor.id)
  if (action === 'decline') return groups.map((one) => (one === group ? declined : one))
  requireRoom(assignment, group.members.length + 1)
  const released = await Promise.all(memberIds(group).map((id) => hasRelease(id, assignment._id)))
  if (released.includes(true)) throw new AppError('conflict', 'The grade of this group has been released.')
  const joined = withMembers(group, [...memberIds(group), actor.id], now)
  return takenOut(groups, [actor.id], group_id).map((one) => (one === group ? joined : one))
}

/** As a sentence for the student; null where they may change their group. */
async function whyNot(assignment: AssignmentDoc, actor: Actor, now: Date): Promise<string | null> {
  if (!assignment.groups) return 'Everybody hands in alone in this assignment.'
  if (assignment.groups.by === 'teacher') return 'Your instructor makes the groups of this assignment.'
  if (await hasRelease(actor.id, assignment._id))
    return 'Your grade has been released. Ask your instructor if your group is to change.'
  return handInWindowOf(assignment, actor.id, now).state === 'closed'
    ? 'This assignment is closed. Ask your instructor if your group is to change.'
    : null
}

async function presentOwnGroup(assignment: AssignmentDoc, actor: Actor, now: Date): Promise<OwnGroup> {
  const groups = await findGroups(assignment._id)
  const own = ownOf(groups, actor)
  const inviting = groups.filter((group) => invites(group, actor) && group !== own)
  const seen = [...(own ? [own] : []), ...inviting]
  const ids = seen.flatMap((group) => [...memberIds(group), ...group.changes.map(({ student_id }) => student_id)])
  const [users, papers] = await Promise.all([usersById(ids), submissionsByStudent(assignment._id, ids)])
  const called = (id: number) => nameOf(users.get(id) ?? { username: 'A former student', full_name: null })
  return {
    rule: assignment.groups ?? null,
    group: own
      ? {
          name: own.name,
          members: memberIds(own).map((id) => ({ name: called(id), is_me: id === actor.id })),
          invitations: own.invitations.map(({ id, to }) => ({ id, to })),
          changes: own.changes.map(({ student_id, what, at }) => ({
            ...{ name: called(student_id), what },
            at: at.toISOString(),
          })),
        }
      : null,
    invited_by: inviting.map((group) => ({
      ...{ group_id: group._id, name: group.name, members: memberIds(group).map(called) },
      has_paper: memberIds(group).some((id) => papers.has(id)),
    })),
    why_not: await whyNot(assignment, actor, now),
  }
}
