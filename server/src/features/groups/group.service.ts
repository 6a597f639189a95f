import type { GroupRule } from '@assay/shared/groups.ts'
import { recordAudit } from '../../audit/audit.service.ts'
import { isDuplicateKeyError, nextId } from '../../lib/database/database.ts'
import { withDatabaseLock } from '../../lib/database/database-lock.ts'
import { AppError } from '../../lib/http/app-error.ts'
import type { Actor } from '../../lib/http/handle.ts'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import { type GroupDoc, GroupModel } from '../../records/assignments/group.model.ts'
import { markScoresChanged } from '../../records/lti/mark-scores-changed.ts'
import { isHandInTimeKnown } from '../../records/submissions/hand-in-time.ts'
import type { SubmissionDoc } from '../../records/submissions/submission.model.ts'
import type { Services } from '../../services.ts'
import { hidesNames } from '../anonymity/hidden-names.ts'
import { handInWindowOf } from '../assignments/assignment-dates.ts'
import { findEnrolledIds } from '../courses/enrollment-queries.ts'
import { reassignRelease } from '../grades/release.service.ts'
import { fieldsFor, findGroups, memberIds, papersOfPeople, setGroupFields } from '../submissions/group-members.ts'
import { handInKey } from '../submissions/handed-in-paper.ts'
import { notifySubmissionChanged } from '../submissions/submission.events.ts'
import { mailedName } from '../users/notifications/mailed-name.ts'
import { notify } from '../users/notifications/notify.ts'
import { usersById } from '../users/user.service.ts'

/** Of the `changes` of a group, the latest are kept. */
const MOST_CHANGES = 50

/**
 * One change at a time, by whoever: `change` gets all groups of the assignment and returns what they are to be. Groups
 * without members vanish, and papers follow their students. @returns the groups as they are then
 */
export function changeGroups(
  assignment: AssignmentDoc,
  actor: Actor,
  services: Services,
  change: (groups: GroupDoc[], now: Date) => GroupDoc[] | Promise<GroupDoc[]>,
): Promise<GroupDoc[]> {
  return withDatabaseLock(`groups/${assignment._id}`, async () => {
    const before = await findGroups(assignment._id)
    const now = services.clock.now()
    const wanted = (await change(before, now)).filter(({ members }) => members.length > 0)
    assertNobodyTwice(wanted)
    const step = { assignment, actor, services, now }
    const left: GroupDoc[] = []
    // All leave before anybody joins, so that nobody is in two groups meanwhile.
    for (const was of before) {
      const next = wanted.find(({ _id }) => _id === was._id)
      const stay = memberIds(next ?? null)
      const members = was.members.filter(({ student_id }) => stay.includes(student_id))
      const is = members.length > 0 ? { ...was, members } : null
      left.push(...((await storeGroup(was, is, step)) ?? []))
    }
    for (const next of wanted) {
      const was = left.find(({ _id }) => _id === next._id) ?? null
      await storeGroup(was, { ...next, changes: was?.changes ?? next.changes }, step)
    }
    return findGroups(assignment._id)
  })
}

function assertNobodyTwice(groups: GroupDoc[]): void {
  const ids = groups.flatMap(memberIds)
  if (new Set(ids).size < ids.length) throw new AppError('conflict', 'A student can be in one group only.')
  const names = groups.map(({ name }) => name.toLowerCase())
  if (new Set(names).size < names.length) throw new AppError('conflict', 'There is another group of this name.')
}

interface ChangeStep {
  assignment: AssignmentDoc
  actor: Actor
  services: Services
  now: Date
}

/** @returns what is stored; nothing for a group that is gone */
async function storeGroup(was: GroupDoc | null, wanted: GroupDoc | null, step: ChangeStep): Promise<GroupDoc[]> {
  const [before, after] = [memberIds(was), memberIds(wanted)]
  const joined = after.filter((id) => !before.includes(id))
  const gone = before.filter((id) => !after.includes(id))
  const moved = joined.length + gone.length > 0
  if (!moved && was && wanted && JSON.stringify(was) === JSON.stringify(wanted)) return [was]
  const { assignment, actor, now } = step
  const findPapers = () => papersOfPeople(assignment._id, [...new Set([...before, ...after])])
  const hadPaper = moved && was !== null && (await findPapers()).some(({ group_id }) => group_id === was._id)
  const told = [
    ...joined.map((student_id) => ({ student_id, what: 'joined' as const, at: now })),
    ...gone.map((student_id) => ({ student_id, what: 'left' as const, at: now })),
  ]
  const changes = [...(wanted?.changes ?? []), ...(hadPaper ? told : [])].slice(-MOST_CHANGES)
  const is = wanted && { ...wanted, changes }
  if (is) await GroupModel.replaceOne({ _id: is._id }, is, { upsert: true })
  else if (was) await GroupModel.deleteOne({ _id: was._id })
  if (!moved) return is ? [is] : []
  // Again, as one may have been handed in for the group as it was.
  for (const paper of await findPapers()) await followGroup(paper, was, is, step)
  await recordAudit(actor, 'group.changed', { assignment_id: assignment._id }, now, {
    before: was && { name: was.name, student_ids: before },
    after: is && { name: is.name, student_ids: after },
  })
  if (hadPaper) await mailMembers([...new Set([...before, ...after])], step)
  return is ? [is] : []
}

/** A student takes along what they handed in before they joined; what came for the group stays with it. */
function ownerAfter(paper: SubmissionDoc, was: GroupDoc | null, is: GroupDoc | null): number | null {
  const members = memberIds(is)
  const { student_id: owner } = paper
  const joinedAt = was?.members.find(({ student_id }) => student_id === owner)?.joined_at
  const isTheirs = joinedAt !== undefined && paper.created_at < joinedAt
  const stays = owner !== null && members.includes(owner)
  return stays || isTheirs || paper.group_id !== is?._id ? owner : (members[0] ?? owner)
}

/** Gives the paper to those whose it is now. Papers of a dissolved group stay with their owners. */
async function followGroup(
  paper: SubmissionDoc,
  was: GroupDoc | null,
  is: GroupDoc | null,
  { services, now, assignment }: ChangeStep,
): Promise<void> {
  const ofOther = paper.group_id !== undefined && paper.group_id !== was?._id && paper.group_id !== is?._id
  const student_id = ownerAfter(paper, was, is)
  if (ofOther || student_id === null) return
  const fields = fieldsFor(memberIds(is).includes(student_id) ? is : null, student_id)
  const heir = student_id === paper.student_id ? undefined : (await usersById([student_id])).get(student_id)?.username
  const { late } = handInWindowOf(assignment, [student_id, ...(fields.partner_ids ?? [])], paper.created_at)
  const change = {
    ...{ student_id, updated_at: now },
    ...(isHandInTimeKnown(paper) ? { late } : {}),
    ...(heir === undefined ? {} : { student_identifier: heir }),
  }
  const isHandedIn = paper.upload_key?.startsWith('handed in by ')
  const uploaded = heir && paper.upload_key ? `${paper.file.hash} ${heir}` : undefined
  const upload_key = isHandedIn ? handInKey({ student_id, ...fields }) : uploaded
  const follow = (key: Partial<SubmissionDoc>) => setGroupFields(paper, fields, { ...change, ...key })
  const moved = await follow(upload_key === undefined ? {} : { upload_key }).catch((error: unknown) => {
    // Another paper has the key: both stay, and the later one counts.
    if (!isDuplicateKeyError(error)) throw error
    return follow({ upload_key: `${upload_key} ${paper._id}` })
  })
  if (!moved) return
  await reassignRelease(moved)
  await markScoresChanged(assignment._id)
  // A row that changes with a group would tell whose it is.
  if (!hidesNames(assignment)) await notifySubmissionChanged(moved, services)
}

/** After hand-in. Who it was stands behind the sign-in. */
async function mailMembers(ids: number[], { assignment, actor, services, now }: ChangeStep): Promise<void> {
  const { course_id, status } = assignment
  if (status !== 'published' || course_id === null) return
  const enrolled = await findEnrolledIds(course_id, ids)
  const people = [...(await usersById(ids.filter((id) => id !== actor.id && enrolled.has(id)))).values()]
  const title = mailedName(assignment.title, 'an assignment')
  const page = `${services.config.publicUrl}/student/assignments/${assignment._id}`
  const compose = () => ({
    subject: `Your group has changed: ${title}`,
    text: `Somebody has joined or left your group for “${title}” after a paper was handed in.\n\nSee who is in it:\n${page}`,
  })
  await notify(people, 'grades', compose, `group/${assignment._id}/${now.getTime()}`, services)
}

export async function newGroup(
  assignmentId: number,
  groups: readonly GroupDoc[],
  { name, ids }: { name?: string; ids: number[] },
  now: Date,
): Promise<GroupDoc> {
  const taken = new Set(groups.map((group) => group.name.toLowerCase()))
  let number = groups.length + 1
  while (taken.has(`group ${number}`)) number++
  return {
    _id: await nextId('groups'),
    assignment_id: assignmentId,
    name: name ?? `Group ${number}`,
    members: ids.map((student_id) => ({ student_id, joined_at: now })),
    invitations: [],
    changes: [],
  }
}

/** Those who stay keep their place; what had invited a new member is answered. */
export function withMembers(group: GroupDoc, ids: number[], now: Date): GroupDoc {
  const stay = group.members.filter(({ student_id }) => ids.includes(student_id))
  const fresh = ids.filter((id) => !memberIds(group).includes(id))
  return {
    ...group,
    members: [...stay, ...fresh.map((student_id) => ({ student_id, joined_at: now }))],
    invitations: group.invitations.filter(({ student_id }) => student_id === null || !fresh.includes(student_id)),
  }
}

/** Out of all groups but one. */
export const takenOut = (groups: GroupDoc[], ids: number[], except: number | null): GroupDoc[] =>
  groups.map((group) =>
    group._id === except
      ? group
      : { ...group, members: group.members.filter(({ student_id }) => !ids.includes(student_id)) },
  )

export interface WantedGroup {
  name: string
  ids: number[]
}

/** Each of these has exactly these students then; groups of other names lose those who are in one of them now. */
export async function placeInGroups(
  assignmentId: number,
  groups: GroupDoc[],
  wanted: WantedGroup[],
  now: Date,
): Promise<GroupDoc[]> {
  let next = groups
  for (const { name, ids } of wanted) {
    const known = next.find((group) => group.name.toLowerCase() === name.toLowerCase())
    next = takenOut(next, ids, known?._id ?? null)
    next = known
      ? next.map((group) => (group._id === known._id ? withMembers(group, ids, now) : group))
      : [...next, await newGroup(assignmentId, next, { name, ids }, now)]
  }
  return next
}

/** @throws {AppError} where groups are not allowed, or this one would be too large */
export function requireRoom({ groups }: Pick<AssignmentDoc, 'groups'>, size: number): GroupRule {
  if (!groups) throw new AppError('conflict', 'Everybody hands in alone in this assignment. Allow groups first.')
  if (size > groups.max) throw new AppError('conflict', `A group may have up to ${groups.max} students here.`)
  return groups
}
