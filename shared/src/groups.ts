import { z } from 'zod'
import { BodyId, defineEndpoint, Id, Timestamp } from './http/endpoint.ts'
import { roundPoints } from './rules/points.ts'
import { lineOfText } from './rules/text.ts'

// Groups of students that hand in one paper.

export const MAX_GROUP_SIZE = 20
/** Of a group, that nobody has answered. */
export const MAX_INVITATIONS = 20

/** Of an assignment: how large groups may be, and who makes them. */
export const GroupRule = z.object({
  max: z
    .int({ error: 'Enter how many students a group may have' })
    .min(2, 'A group has at least 2 students')
    .max(MAX_GROUP_SIZE, `A group can have at most ${MAX_GROUP_SIZE} students`),
  by: z.enum(['students', 'teacher']),
})
export type GroupRule = z.infer<typeof GroupRule>

/** On a roster: nothing of a paper. */
const Person = z.object({ id: Id, username: z.string(), full_name: z.string().nullable() })
/** After a paper was handed in. */
const GroupChange = z.object({ name: z.string(), what: z.enum(['joined', 'left']), at: Timestamp })

export const Group = z.object({
  id: Id,
  name: z.string(),
  members: z.array(Person),
  /** The paper that counts; null without one, and while names are hidden. */
  submission_id: Id.nullable(),
  /** As far as they still stand, oldest first; none while names are hidden. */
  changes: z.array(GroupChange.extend({ student_id: Id })),
})
export type Group = z.infer<typeof Group>

/**
 * `alone`: the course’s students in no group. `lms`: the LMS that tells its groups; null if none does. `failures`: of
 * what was just taken from a file or an LMS, whom it could not place, and why.
 */
export const AssignmentGroups = z.object({
  rule: GroupRule.nullable(),
  groups: z.array(Group),
  alone: z.array(Person),
  lms: z.string().nullable(),
  failures: z.array(z.string()).optional(),
})
export type AssignmentGroups = z.infer<typeof AssignmentGroups>

const path = '/assignments/:assignmentId/groups'

export const listGroups = defineEndpoint('get', path, {
  summary: 'The groups of an assignment',
  reply: AssignmentGroups,
})

/** Students leave the group they are in. Papers follow; those of a dissolved group stay with who handed them in. */
export const saveGroup = defineEndpoint('post', path, {
  summary: 'Make a group, or change the one with this id; without students it is dissolved',
  body: z.object({
    id: BodyId.optional(),
    name: lineOfText('Group name', 100).optional(),
    student_ids: z.array(BodyId).max(MAX_GROUP_SIZE),
  }),
  reply: AssignmentGroups,
})

export const takeGroups = defineEndpoint('post', `${path}/taken`, {
  summary: 'Take groups from a CSV with a column “group” and one that names students; null: from the LMS',
  body: z.object({ csv: z.string().max(1_000_000, 'The file is too large').nullable() }),
  reply: AssignmentGroups,
})

/** For one of a group: points added to or taken from what the paper got. */
const MemberException = z.object({
  points: z
    .number({ error: 'Enter the points to add or take' })
    .min(-1000)
    .max(1000)
    .refine((points) => points !== 0, 'Enter points other than 0')
    .transform(roundPoints),
  reason: lineOfText('Reason', 300).refine((text) => text !== '', 'Say why, for this student to read'),
})

const exceptionPath = '/assignments/:assignmentId/submissions/:submissionId/exceptions/:studentId'

export const setException = defineEndpoint('put', exceptionPath, {
  summary: 'Give one of a group other points than the paper got; null undoes it',
  body: z.object({ exception: MemberException.nullable() }),
  reply: z.object({ message: z.string() }),
})

/** The caller’s own group; nothing is said of others but of those that invited them. */
export const OwnGroup = z.object({
  rule: GroupRule.nullable(),
  /** Null: in none. `invitations` as they were typed; whether they are anybody’s is not said. */
  group: z
    .object({
      name: z.string(),
      members: z.array(z.object({ name: z.string(), is_me: z.boolean() })),
      invitations: z.array(z.object({ id: Id, to: z.string() })),
      changes: z.array(GroupChange),
    })
    .nullable(),
  invited_by: z.array(
    z.object({ group_id: Id, name: z.string(), members: z.array(z.string()), has_paper: z.boolean() }),
  ),
  /** Why the caller cannot change it, as a sentence; null where they can. */
  why_not: z.string().nullable(),
})
export type OwnGroup = z.infer<typeof OwnGroup>

/** `invite` by address, username or number: the reply is the same for anybody and nobody. */
export const OwnGroupChange = z.discriminatedUnion('action', [
  z.object({ action: z.literal('invite'), to: lineOfText('Address or number', 254).refine((text) => text !== '') }),
  z.object({ action: z.literal('withdraw'), invitation_id: BodyId }),
  z.object({ action: z.enum(['join', 'decline']), group_id: BodyId }),
  z.object({ action: z.literal('leave') }),
])
export type OwnGroupChange = z.infer<typeof OwnGroupChange>

const ownPath = '/student/assignments/:assignmentId/group'

export const getOwnGroup = defineEndpoint('get', ownPath, {
  summary: 'The student’s group and invitations',
  access: ['student'],
  reply: OwnGroup,
})

/** After hand-in the paper stays with the group that somebody leaves; its invitation lets them come back. */
export const changeOwnGroup = defineEndpoint('post', ownPath, {
  summary: 'Invite somebody, withdraw or answer an invitation, or leave',
  access: ['student'],
  body: OwnGroupChange,
  reply: OwnGroup,
})
