import { type GroupDoc, GroupModel } from '../../records/assignments/group.model.ts'
import { findOwned } from '../../records/submissions/people-of-paper.ts'
import {
  type MemberException,
  type SubmissionDoc,
  SubmissionModel,
} from '../../records/submissions/submission.model.ts'

export const findGroups = (assignment_id: number): Promise<GroupDoc[]> =>
  GroupModel.find({ assignment_id }).sort({ _id: 1 }).lean()

export const hasGroups = async (assignment_id: number) => (await GroupModel.exists({ assignment_id })) !== null

export const findGroupOf = (assignment_id: number, studentId: number): Promise<GroupDoc | null> =>
  GroupModel.findOne({ assignment_id, 'members.student_id': studentId }).lean()

export const findGroupsOf = (studentId: number, assignmentIds: number[]): Promise<GroupDoc[]> =>
  GroupModel.find({ assignment_id: { $in: assignmentIds }, 'members.student_id': studentId }).lean()

export const memberIds = (group: Pick<GroupDoc, 'members'> | null): number[] =>
  group?.members.map(({ student_id }) => student_id) ?? []

export type GroupFields = Pick<SubmissionDoc, 'group_id' | 'partner_ids'>

/** Of the student's papers; nothing for one who is in no group. */
export const fieldsFor = (group: GroupDoc | null | undefined, studentId: number): GroupFields =>
  group ? { group_id: group._id, partner_ids: memberIds(group).filter((id) => id !== studentId) } : {}

/** Of each student in a group all of it, whose extensions count for them. */
export async function loadGroupmates(assignmentId: number): Promise<Map<number, number[]>> {
  const groups = (await findGroups(assignmentId)).map(memberIds)
  return new Map(groups.flatMap((ids) => ids.map((id): [number, number[]] => [id, ids])))
}

/** By student, of those who are in a group. */
export async function groupFieldsOf(assignment_id: number, studentIds: number[]): Promise<Map<number, GroupFields>> {
  if (studentIds.length === 0) return new Map()
  const groups = await GroupModel.find({ assignment_id, 'members.student_id': { $in: studentIds } }).lean()
  return new Map(
    groups.flatMap((group) => memberIds(group).map((id): [number, GroupFields] => [id, fieldsFor(group, id)])),
  )
}

/** For an update of a paper that is this student's from now on. */
export async function ownerUpdate(
  assignmentId: number,
  studentId: number | null,
): Promise<{ set: GroupFields; unset: Partial<Record<keyof GroupFields, ''>> }> {
  const set = studentId === null ? undefined : (await groupFieldsOf(assignmentId, [studentId])).get(studentId)
  return set ? { set, unset: {} } : { set: {}, unset: { group_id: '', partner_ids: '' } }
}

const same = (a: GroupFields, b: GroupFields) =>
  a.group_id === b.group_id && (a.partner_ids ?? []).join() === (b.partner_ids ?? []).join()

/** Call it once papers are stored: their groups may have changed since these were looked up. As they are now. */
export async function alignWithGroups(papers: SubmissionDoc[]): Promise<SubmissionDoc[]> {
  const [first] = papers
  if (!first) return papers
  const owners = papers.flatMap(({ student_id }) => student_id ?? [])
  const fields = await groupFieldsOf(first.assignment_id, owners)
  const aligned: SubmissionDoc[] = []
  for (const paper of papers) {
    const wanted = fields.get(paper.student_id ?? 0) ?? {}
    aligned.push(same(wanted, paper) ? paper : ((await setGroupFields(paper, wanted)) ?? paper))
  }
  return aligned
}

/** Null where it is another student's meanwhile. @param owner makes it another's of the group */
export function setGroupFields(
  { _id, student_id }: Pick<SubmissionDoc, '_id' | 'student_id'>,
  fields: GroupFields,
  owner: Partial<SubmissionDoc> = {},
): Promise<SubmissionDoc | null> {
  const { group_id, partner_ids = [] } = fields
  const isOwned = partner_ids.length > 0 || group_id !== undefined
  return SubmissionModel.findOneAndUpdate(
    { _id, student_id },
    isOwned
      ? { $set: { ...owner, group_id, partner_ids } }
      : { ...(Object.keys(owner).length > 0 ? { $set: owner } : {}), $unset: { group_id: '', partner_ids: '' } },
  ).lean()
}

/** @param exception null undoes it */
export async function storeException(
  { _id, member_points = [] }: SubmissionDoc,
  student_id: number,
  exception: Omit<MemberException, 'student_id'> | null,
  now: Date,
): Promise<void> {
  const others = member_points.filter((one) => one.student_id !== student_id)
  const next = exception ? [...others, { student_id, ...exception }] : others
  await SubmissionModel.updateOne({ _id }, { $set: { member_points: next, updated_at: now } })
}

/** All papers of these students. */
export const papersOfPeople = (assignment_id: number, ids: number[]): Promise<SubmissionDoc[]> =>
  findOwned<SubmissionDoc>(ids, (whose) => SubmissionModel.find({ ...whose, assignment_id }).lean())

/** The merged account takes the other's place; who is in a group already stays there. Idempotent. */
export async function reassignGroups(from: number, to: number): Promise<void> {
  for (const group of await GroupModel.find({ 'members.student_id': from }).lean()) {
    const stays = (await findGroupOf(group.assignment_id, to)) !== null
    const members = stays
      ? group.members.filter(({ student_id }) => student_id !== from)
      : group.members.map((one) => (one.student_id === from ? { ...one, student_id: to } : one))
    await GroupModel.updateOne({ _id: group._id }, { $set: { members } })
  }
  for (const path of ['invitations', 'changes'])
    while (
      (await GroupModel.updateMany({ [`${path}.student_id`]: from }, { $set: { [`${path}.$.student_id`]: to } }))
        .matchedCount > 0
    );
  const shared = { partner_ids: from }
  await SubmissionModel.updateMany({ ...shared, student_id: { $ne: to } }, { $addToSet: { partner_ids: to } })
  await SubmissionModel.updateMany({ 'member_points.student_id': from }, { $set: { 'member_points.$.student_id': to } })
  await SubmissionModel.updateMany(shared, { $pull: { partner_ids: from } })
}

/** After the assignment has moved to another course. */
export async function removeStrangersFromGroups(assignment_id: number, studentIds: number[]): Promise<void> {
  const stranger = { student_id: { $nin: studentIds } }
  const $pull = { members: stranger, invitations: stranger, changes: stranger }
  await GroupModel.updateMany({ assignment_id }, { $pull })
  await GroupModel.deleteMany({ assignment_id, members: [] })
  await SubmissionModel.updateMany(
    { assignment_id, group_id: { $exists: true } },
    { $pull: { partner_ids: { $nin: studentIds } } },
  )
}
