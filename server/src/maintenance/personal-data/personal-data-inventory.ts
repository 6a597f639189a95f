import mongoose from 'mongoose'
import type { AssignmentDoc } from '../../records/assignments/assignment.model.ts'
import type { GroupDoc } from '../../records/assignments/group.model.ts'
import type { CourseDoc, EnrollmentDoc } from '../../records/courses/course.model.ts'
import { LtiContextModel } from '../../records/lti/context.model.ts'
import type { LtiIdentityDoc } from '../../records/lti/identity.model.ts'
import type { LtiLaunchDoc } from '../../records/lti/launch.model.ts'
import type { LtiMemberDoc } from '../../records/lti/member.model.ts'
import type { LtiScoreDoc } from '../../records/lti/score.model.ts'
import type { SessionDoc } from '../../records/people/session.model.ts'
import type { UserDoc } from '../../records/people/user.model.ts'
import type { PhotoDraftDoc } from '../../records/submissions/photo-draft.model.ts'
import { blankAccounts, endSessions } from './erasure/erase-account.ts'
import { eraseAudit } from './erasure/erase-audit.ts'
import { eraseMailFailures, eraseQueuedMail, eraseRosterRows } from './erasure/erase-by-address.ts'
import { eraseDismissals, leaveCourses, leaveGroups, skipCheckedAnswers } from './erasure/erase-papers.ts'
import {
  deleteAndInvalidate,
  deleteBy,
  type EraseRule,
  pullFrom,
  type StepName,
  type StoredModel,
  setNull,
} from './erasure/erasure-rule.ts'
import {
  type Export,
  exportAccount,
  exportActivity,
  exportRosterRows,
  exportTo,
  findCourseName,
  findShownAssignment,
  isoOrNull,
  mayShow,
  named,
  own,
  ownsAddress,
} from './export/export-records.ts'

export interface InventoryEntry {
  erase?: Partial<Record<StepName, EraseRule[]>> | 'with its paper' | 'with its file'
  /** Paths of a document that stays; without, whole documents are deleted. */
  emptied?: string[]
  /** Paths whose number leads to a placeholder, or which expire, as `note` says. */
  kept?: string[]
  /** Paths that only look like a person’s. */
  other?: string[]
  export?: Export
  note?: string
}

const kept = (paths: string[], note: string, other?: string[]): InventoryEntry => ({ kept: paths, other, note })
const nothing = (note: string, other?: string[]): InventoryEntry => ({ other, note })
const exportEnrollment = async (
  as: 'student' | 'invited',
  { course_id, enrolled_at, external_user_id, sis_user_id }: EnrollmentDoc,
) => ({
  course: (await findCourseName(course_id)) ?? { id: course_id, name: '' },
  as,
  since: enrolled_at.toISOString(),
  lms_user_id: external_user_id ?? null,
  student_number: sis_user_id ?? null,
})
/** Their ids are `assignment/person/time`. */
const deleteReminders: EraseRule = ({ erasure }, model) =>
  model.deleteMany({ _id: { $regex: `^\\d+/(${erasure.account_ids.join('|')})/` } })

/** For `erasure/erase-person.ts` and `export/export-zip.ts`. A test fails for missing models and personal paths. */
export const inventory: Record<string, InventoryEntry> = {
  User: {
    erase: { account: [blankAccounts] },
    emptied: [
      'username',
      'username_key',
      'email',
      'email_key',
      'full_name',
      'institution',
      'student_number',
      'notifications',
    ],
    other: ['password_hash'],
    export: own('joined_accounts', '_id', '_id', (doc: UserDoc, { user }) =>
      doc._id === user._id ? null : exportAccount(doc),
    ),
    note: 'The row stays as a placeholder. The password’s hash is in no export.',
  },
  Session: {
    erase: { account: [endSessions] },
    export: own('sessions', 'user_id', '-created_at', ({ created_at, seen_at, expires_at, launch_id }: SessionDoc) => ({
      started_at: created_at.toISOString(),
      last_used_at: isoOrNull(seen_at),
      expires_at: expires_at.toISOString(),
      from_lms: launch_id != null,
    })),
  },
  SignInFailure: nothing('Keyed hashes of whom a wrong password was for, for half an hour.'),
  MailedLink: { erase: { account: [deleteBy('user_id')] }, note: 'Secrets for a mailbox.' },
  Erasure: kept(
    ['account_ids', 'actor_id', 'submission_ids'],
    'That an account was deleted, when and on whose behalf.',
    ['placeholder'],
  ),

  Enrollment: {
    erase: { memberships: [deleteAndInvalidate('user_id', 'course')] },
    export: own('courses', 'user_id', 'enrolled_at', (doc: EnrollmentDoc) => exportEnrollment('student', doc)),
  },
  PendingEnrollment: {
    erase: { memberships: [deleteBy('user_id')] },
    export: own('courses', 'user_id', 'enrolled_at', (doc: EnrollmentDoc, scope) =>
      ownsAddress(scope) ? exportEnrollment('invited', doc) : null,
    ),
  },
  Course: {
    erase: { teaching: [leaveCourses] },
    emptied: ['instructor_ids', 'lms_instructor_ids'],
    kept: ['created_by'],
    other: ['name', 'description', 'gradebook'],
    export: own('courses', 'instructor_ids', '_id', ({ _id, name }: CourseDoc) => ({
      course: { id: _id, name },
      as: 'instructor' as const,
      since: null,
      lms_user_id: null,
      student_number: null,
    })),
  },
  InvitationCount: kept(['user_id'], 'How many invitations a teacher has sent on a day; two days.', ['sent']),
  RosterImport: kept(['actor_id', 'file_name', 'notes'], 'Words about a file as a whole; they go after a week.'),
  RosterStep: {
    erase: { memberships: [eraseRosterRows] },
    emptied: ['rows', 'failures'],
    export: exportTo('school', 'roster_rows', exportRosterRows),
    note: 'Rows with the person’s address, or with name and number where the account has none; all go after a week.',
  },

  Assignment: {
    erase: { memberships: [pullFrom('extensions', 'student_id')] },
    emptied: ['extensions'],
    kept: ['anonymous', 'created_by', 'score_rules', 'rubric_made', 'rubric_check'],
    other: ['rubric', 'blank.name', 'key.name', 'retention_notice', 'groups'],
    export: own('extensions', 'extensions.student_id', '_id', (assignment: AssignmentDoc, scope) =>
      (mayShow(scope, assignment) ? (assignment.extensions ?? []) : [])
        .filter(({ student_id }) => scope.ids.includes(student_id))
        .map(({ due_at, closes_at }) => ({
          assignment: named(assignment),
          due_at: due_at.toISOString(),
          closes_at: isoOrNull(closes_at),
        })),
    ),
  },
  Group: {
    // With papers, which stay with the others.
    erase: { papers: [({ erasure, accounts }) => leaveGroups(erasure.account_ids, accounts)] },
    emptied: ['members', 'invitations', 'changes'],
    other: ['name'],
    export: own('groups', 'members.student_id', '_id', async (group: GroupDoc, scope) => {
      const assignment = await findShownAssignment(scope, group.assignment_id)
      const own = group.members.find(({ student_id }) => scope.ids.includes(student_id))
      if (!assignment || !own) return null
      return { assignment: named(assignment), name: group.name, since: own.joined_at.toISOString() }
    }),
  },
  Reminder: { erase: { memberships: [deleteReminders] }, note: 'That a reminder was sent; gone after 30 days.' },
  RubricGeneration: kept(['actor_id'], 'Until the rubric is made.'),
  RubricVersion: kept(['made'], 'Who saved a rubric.', ['rubric', 'questions']),
  RubricItem: kept(['author_id', 'changed_by'], 'The author of a teacher’s sentence of the course.', ['text']),
  RubricAmendment: {
    erase: {
      papers: [
        deleteBy('submission_id', 'submission_ids'),
        pullFrom('answers', 'submission_id', 'submission_ids'),
        pullFrom('unchanged', 'submission_id', 'submission_ids'),
        pullFrom('changed', 'submission_id', 'submission_ids'),
        pullFrom('undo.restored', null, 'submission_ids'),
      ],
    },
    note: 'Words a teacher has taken into the rubric stay there, as the rubric’s.',
  },

  Submission: {
    erase: {
      papers: [
        pullFrom('attempts', 'student_id'),
        pullFrom('partner_ids', null),
        pullFrom('member_points', 'student_id'),
      ],
    },
    export: { to: 'own' },
    note: 'Their papers are deleted before this; a group’s is the others’ then. What they had handed in for one that is another’s now goes from it.',
  },
  PhotoDraft: {
    erase: 'with its paper',
    export: own(
      'photo_drafts',
      'user_id',
      '_id',
      async ({ assignment_id, expires_at, pages }: PhotoDraftDoc, scope) => {
        const assignment = await findShownAssignment(scope, assignment_id)
        if (!assignment || pages.length === 0 || scope.user.role !== 'student') return null
        const name = `${assignment.title}, not handed in`
        const photos = pages.map(({ photo: { hash, type } }) => scope.addFile('photos', name, { hash }, type))
        return { assignment: named(assignment), expires_at: expires_at.toISOString(), photos }
      },
    ),
  },
  ClassScan: {
    erase: 'with its paper',
    note: 'Until it is confirmed; deleted whole where a paper in it is proposed to be the person’s.',
  },
  ClassScanPage: { erase: 'with its paper', note: 'Deleted with its scan.' },
  ClassScanStep: { erase: 'with its paper', note: 'Earlier proposals, to be undone; deleted with their scan.' },
  Reading: {
    erase: 'with its file',
    note: 'The text of the paper and the circles filled on it; the export has the paper.',
  },
  PageTranscript: { erase: 'with its file', note: 'Of blanks and keys, unless a paper has the same content.' },
  AnswerReading: { erase: 'with its file', export: { to: 'school' } },
  Answers: {
    erase: 'with its paper',
    export: { to: 'school' },
    note: 'On another’s paper with a copy printed for the person their number stays, which leads to a placeholder.',
  },
  Transcription: { erase: 'with its paper', export: { to: 'school' } },
  PenMark: { erase: 'with its paper', export: { to: 'school' }, note: 'The returned paper has them too.' },

  GradeDetails: { erase: 'with its paper', export: { to: 'school' } },
  Release: {
    erase: {
      papers: [
        deleteAndInvalidate('student_id', 'assignment'),
        pullFrom('partner_ids', null),
        pullFrom('member_scores', 'student_id'),
      ],
    },
    export: { to: 'own' },
    note: 'Also of papers that were given to somebody else while the person still had a release of them.',
  },
  RetainedGrade: kept(['placeholder'], 'A released score under a placeholder, made by an erasure.'),
  Regrade: { erase: { papers: [deleteBy('student_id')] }, export: { to: 'own' } },
  QuestionAnswer: { erase: 'with its paper', note: 'A copy of answers and points, for grading by question.' },
  QuestionChange: {
    erase: { papers: [pullFrom('changes', 'submission_id', 'submission_ids')] },
    emptied: ['changes'],
    kept: ['actor_id'],
    other: ['item'],
    note: 'Points of answers by the paper’s number.',
  },
  GradeApproval: {
    erase: { papers: [pullFrom('grades', 'submission_id', 'submission_ids')] },
    emptied: ['grades'],
    kept: ['actor_id', 'undo'],
    note: 'Which grades were approved at once, by number.',
  },
  AccuracyCheck: {
    erase: { papers: [skipCheckedAnswers] },
    emptied: ['answers'],
    kept: ['started_by'],
    other: ['first_result', 'budget'],
    note: 'A sample’s places and figures stay, without whose they are.',
  },
  Print: {
    erase: { papers: [pullFrom('copies', 'student_id')] },
    emptied: ['copies'],
    kept: ['made_by'],
    other: ['names', 'sheet'],
    note: 'Random numbers on printed pages, and whose copy has which.',
  },
  SimilarityReport: {
    erase: {
      papers: [
        pullFrom('pairs', 'first', 'submission_ids'),
        pullFrom('pairs', 'second', 'submission_ids'),
        eraseDismissals,
      ],
    },
    emptied: ['pairs', 'dismissed'],
    export: { to: 'school' },
  },
  Run: kept(['started_by', 'planned', 'class_submission_ids'], 'Numbers of papers.', ['waiting']),
  RunPaper: kept(['submission_id'], 'Numbers of papers.', ['timeouts']),
  Figures: nothing('Totals of a class.', ['grades', 'questions']),
  Changes: nothing('Counters.'),
  AnswerProjection: nothing('How far a copy has come.'),

  LlmCall: kept(['submission_id'], 'That there was a request, with its cost and hashes.', ['schema_name']),
  LlmAnswer: { erase: 'with its paper', export: { to: 'school' } },
  LlmSettings: nothing('Of Assay or a course.', ['values']),
  LlmTotals: nothing('Totals.'),
  LlmBudget: nothing('Totals.'),

  // Members, scores, releases: a score without its release would be cleared in the school's LMS gradebook.
  LtiMember: {
    erase: { lms: [deleteBy('user_id')] },
    export: own('memberships', 'user_id', '_id', async (member: LtiMemberDoc) => ({
      course: (await LtiContextModel.findById(member.context, { title: 1 }).lean())?.title ?? null,
      role: member.role,
      state: member.status,
      name: member.name,
      email: member.email,
      number: member.sis_id ?? null,
      updated_at: member.updated_at.toISOString(),
    })),
  },
  LtiScore: {
    erase: { lms: [deleteBy('user_id')] },
    export: own('scores', 'user_id', '_id', async ({ assignment_id, accepted }: LtiScoreDoc, scope) => {
      const assignment = accepted && (await findShownAssignment(scope, assignment_id))
      if (!assignment) return null
      const { score, comment, at } = accepted
      return { assignment: named(assignment), score, comment, at: at.toISOString() }
    }),
    note: 'The LMS keeps what is in its gradebook.',
  },
  LtiIdentity: {
    erase: { lms: [deleteBy('user_id')] },
    export: own('identities', 'user_id', '_id', ({ issuer, sub, created_at }: LtiIdentityDoc) => ({
      issuer,
      user_id: sub,
      since: created_at.toISOString(),
    })),
  },
  LtiLaunch: {
    erase: { lms: [deleteBy('user_id'), setNull('for_user_id')] },
    export: own('launches', 'user_id', '-created_at', ({ created_at, role }: LtiLaunchDoc) => ({
      at: created_at.toISOString(),
      role,
    })),
  },
  LtiContext: nothing('An LMS’s course.', ['roster', 'sync']),
  LtiDeepLinkResponse: nothing('Which assignments were linked.'),
  LtiLaunchLog: nothing('Launches by LMS and role.', ['scopes']),
  LtiUsedLogin: nothing('Random numbers of logins.'),
  LtiNonce: nothing('Random numbers.'),
  LtiKey: nothing('Our keys.'),
  LtiLink: nothing('Places in an LMS’s course.', ['gone']),
  LtiLedgerDue: nothing('Assignments whose scores changed.'),
  LtiPlatform: kept(['created_by', 'approved_by'], 'Which administrator added an LMS.', [
    'name',
    'deployments',
    'registration',
    'proposed',
    'scopes',
  ]),
  LtiPlatformPause: nothing('Why an LMS takes no scores.'),
  LtiRegistrationLink: kept(['created_by'], 'Who made a link, for 37 days.', ['failed']),
  LtiSelfTest: nothing('What a self-test found; a day.', ['checks']),

  Audit: {
    erase: { audit: [eraseAudit] },
    emptied: ['before', 'after'],
    kept: ['actor_id', 'subject'],
    export: exportTo('own', 'activity', exportActivity),
    note: 'That something was done stays; words go.',
  },
  Job: {
    erase: { mail: [eraseQueuedMail] },
    note: 'Mail to the person that waits. Mail to others that names them is sent within minutes.',
  },
  FailedJob: { erase: { mail: [eraseMailFailures] }, note: 'A mail server’s words about an address; 30 days.' },
  Settings: nothing('Of Assay.', ['values']),
  Installation: nothing('Of Assay.'),
  ClientFile: nothing('The program that browsers load.'),
  DemoMark: nothing('Of the demo.'),
  Counter: nothing('Counters.'),
  Process: nothing('Which processes of Assay run.'),
}

export function modelNamed(name: string): StoredModel {
  const model = mongoose.models[name]
  if (!model) throw new Error(`There is no model ${name}.`)
  return model
}
