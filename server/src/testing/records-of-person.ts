import { randomUUID } from 'node:crypto'
import { AuditModel } from '../audit/audit.service.ts'
import { linkMailJobNames } from '../features/auth/link-mail.ts'
import { nextId } from '../lib/database/database.ts'
import { FailedJobModel, JobModel } from '../lib/jobs/job.model.ts'
import { MAIL_JOB } from '../lib/mail/mail.ts'
import { GroupModel } from '../records/assignments/group.model.ts'
import { PrintModel } from '../records/assignments/print.model.ts'
import { ReminderModel, reminderKey } from '../records/assignments/reminder.model.ts'
import { PendingEnrollmentModel } from '../records/courses/pending-enrollment.model.ts'
import { RosterStepModel } from '../records/courses/roster-import.model.ts'
import { AccuracyCheckModel } from '../records/grading/accuracy-check.model.ts'
import { GradeApprovalModel } from '../records/grading/grade-approval.model.ts'
import { QuestionChangeModel } from '../records/grading/question-change.model.ts'
import { RubricAmendmentModel } from '../records/grading/rubric-amendment.model.ts'
import { SimilarityReportModel } from '../records/grading/similarity-report.model.ts'
import { LlmAnswerModel } from '../records/llm/llm-call.model.ts'
import { LtiContextModel } from '../records/lti/context.model.ts'
import { LtiIdentityModel } from '../records/lti/identity.model.ts'
import { LtiLaunchModel } from '../records/lti/launch.model.ts'
import { LtiMemberModel } from '../records/lti/member.model.ts'
import { LtiScoreModel } from '../records/lti/score.model.ts'
import { MailedLinkModel } from '../records/people/mailed-link.model.ts'
import { ClassScanModel, ClassScanPageModel, ClassScanStepModel } from '../records/submissions/class-scan.model.ts'
import { PenMarkModel } from '../records/submissions/pen-mark.model.ts'
import { AnswerReadingModel, TranscriptionModel } from '../records/submissions/transcription.model.ts'
import { everywhere } from './person-everywhere-words.ts'
import type { Person } from './server.ts'

const soon = () => new Date(Date.now() + 60 * 60 * 1000)

interface Given {
  person: Person
  owner: Person
  courseId: number
  assignmentId: number
  questionId: string
  own: { _id: number }
  other: { _id: number }
  hash: string
}

export async function storeRecordsOfPerson(given: Given) {
  const { person, owner, courseId, assignmentId, questionId, own, other, hash } = given
  const { email, full_name, phrase, sub } = everywhere
  const now = new Date()
  const actor = { actor_id: owner.id, actor_role: 'instructor', session_id: 'none' }
  const expires_at = soon()
  await MailedLinkModel.create({
    _id: 'a'.repeat(64),
    purpose: 'reset',
    user_id: person.id,
    email_key: email,
    expires_at,
  })
  await PendingEnrollmentModel.create({
    _id: `${courseId}/${person.id}`,
    course_id: courseId,
    user_id: person.id,
    enrolled_at: now,
    invited_by: owner.id,
    email,
  })
  const failed = { row: 3, email, success: false, message: `${full_name} is enrolled already`, created_user: false }
  const entry = { email: email.toUpperCase(), external_user_id: null, sis_user_id: null, full_name }
  const step = { _id: '1/1', import_id: 1, step: 1, done: false, succeeded: 0, expires_at }
  await RosterStepModel.create({ ...step, rows: [{ row: 2, entry }], failures: [failed] })
  await ReminderModel.create({ _id: reminderKey(assignmentId, person.id, now), sent_at: now })
  await GroupModel.create({
    _id: await nextId('groups'),
    assignment_id: assignmentId,
    name: 'Group 1',
    members: [{ student_id: person.id, joined_at: now }],
    invitations: [{ id: 1, to: person.username, student_id: null }],
    changes: [{ student_id: person.id, what: 'joined', at: now }],
  })
  await AccuracyCheckModel.create({
    _id: await nextId('accuracy_checks'),
    assignment_id: assignmentId,
    started_by: owner.id,
    started_at: now,
    answers: [own, other].map(({ _id }) => ({
      submission_id: _id,
      question_id: questionId,
      points: { q: 1 },
      skipped: false,
    })),
  })
  await GroupModel.create({
    ...{ _id: await nextId('groups'), assignment_id: assignmentId, name: 'Red' },
    members: [{ student_id: person.id, joined_at: now }],
    invitations: [{ id: 1, to: email, student_id: person.id }],
    changes: [{ student_id: person.id, what: 'joined', at: now }],
  })
  await PrintModel.create({
    _id: await nextId('prints'),
    assignment_id: assignmentId,
    blank_hash: 'b'.repeat(64),
    pages: 1,
    names: true,
    double_sided: false,
    copies: [person.id, null].map((student_id, i) => ({ id: `${i}`.repeat(20), number: i + 1, student_id })),
    made_by: owner.id,
    at: now,
  })
  await addToClassScan({ assignmentId, studentId: person.id, ownerId: owner.id, now })
  const passages = [{ words: 3, first: [0, 9], second: [0, 9] }]
  await SimilarityReportModel.create({
    _id: assignmentId,
    enabled: true,
    state: 'done',
    compared_at: now,
    papers: 2,
    pairs: [{ first: own._id, second: other._id, answers: [{ question_id: questionId, kind: 'words', passages }] }],
    dismissed: { [`${own._id}-${other._id}`]: { by: owner.id, at: now } },
  })
  const changes = [own, other].map(({ _id }) => ({ submission_id: _id, before: null, after: { q: 2 } }))
  const change = { assignment_id: assignmentId, question_id: questionId, ...actor, state: 'applied' as const, at: now }
  await QuestionChangeModel.create({ _id: await nextId('question_changes'), ...change, kind: 'decision', changes })
  const grades = [own, other].map(({ _id }) => ({
    submission_id: _id,
    grade_id: 1,
    revision: 1,
    reviewed_by: null,
    withheld: false,
  }))
  const approval = { assignment_id: assignmentId, ...actor, state: 'applied' as const, at: now, grades }
  await GradeApprovalModel.create({ _id: await nextId('grade_approvals'), ...approval })
  const asked = { actor: { id: owner.id, role: 'instructor', session_id: 'none' }, at: now, change_id: 1 }
  const amendment = {
    assignment_id: assignmentId,
    regrade_id: 1,
    question_id: questionId,
    criterion_id: questionId,
    kind: 'alternative' as const,
    granted: 1,
    rubric_version: 1,
    answers: [{ submission_id: own._id }],
    unchanged: [{ submission_id: own._id, grade_id: 1 }],
    changed: [{ submission_id: own._id, before: 1, after: 2 }],
    created_by: owner.id,
    created_at: now,
  }
  for (const part of [
    { state: 'applied' as const, submission_id: own._id, text: phrase },
    {
      state: 'undone' as const,
      submission_id: other._id,
      text: 'Ice swims',
      undo: { ...asked, restored: [own._id, other._id] },
    },
  ])
    await RubricAmendmentModel.create({ _id: await nextId('rubric_amendments'), ...amendment, ...part })
  await TranscriptionModel.create({
    _id: `${own._id}/${hash.slice(0, 16)}/${questionId}`,
    submission_id: own._id,
    question_id: questionId,
    file_hash: hash,
    revision: 1,
    text: phrase,
    read_text: phrase,
    corrected_by: owner.id,
    at: now,
    scoring: 'settled',
  })
  await PenMarkModel.create({
    _id: randomUUID(),
    submission_id: own._id,
    file_hash: hash,
    content: { kind: 'text', page: 1, colour: 'red', x: 90, y: 120, turn: 0, width: 200, text: phrase },
    author_id: owner.id,
    created_at: now,
  })
  await AnswerReadingModel.create({
    _id: `${hash}/1/m`,
    file_hash: hash,
    pages: [1],
    answers: [{ question_id: questionId, state: 'written', lines: [{ text: phrase }] }],
    at: now,
  })
  await LlmAnswerModel.create({ _id: 1, assignment_id: assignmentId, submission_id: own._id, raw: `“${phrase}”` })
  await storeLmsRecords({ person, assignmentId, submissionId: own._id, sub })
  const mail = { to: email, subject: 'A reminder', text: `Dear ${full_name}` }
  const job = {
    group: 'mail',
    status: 'queued' as const,
    run_at: soon(),
    attempts: 0,
    claims: 0,
    owner: null,
    locked_until: null,
    error: null,
  }
  await JobModel.create({ _id: 'mail:x', name: MAIL_JOB, payload: mail, ...job })
  for (const name of linkMailJobNames) {
    await JobModel.create({ _id: `${name}:x`, name, payload: { kind: 'reset', email }, ...job })
    await JobModel.create({ _id: `${name}:y`, name, payload: { kind: 'invitation', userId: person.id }, ...job })
  }
  await FailedJobModel.create({ name: MAIL_JOB, error: `550 no mailbox ${email}`, at: now })
  await AuditModel.create({
    _id: await nextId('audit'),
    at: now,
    actor_id: person.id,
    actor_role: 'student',
    action: 'user.renamed',
    subject: { user_id: person.id },
    before: { username: 'old-quackenbush', email },
    after: { username: person.username, email },
  })
}

async function storeLmsRecords(given: { person: Person; assignmentId: number; submissionId: number; sub: string }) {
  const { person, assignmentId, submissionId, sub } = given
  const now = new Date()
  const user_id = person.id
  await LtiContextModel.create({
    _id: 1,
    platform_id: 1,
    deployment_id: '1',
    context_id: 'c1',
    created_at: now,
    launched_at: now,
    sync_due_at: new Date('2100-01-01'),
  })
  await LtiIdentityModel.create({ _id: 1, issuer: 'https://lms.example', sub, user_id, created_at: now })
  const names = { name: everywhere.full_name, email: everywhere.email, sis_id: everywhere.student_number }
  const member = {
    context: 1,
    sub,
    user_id,
    role: 'student' as const,
    status: 'active' as const,
    ...names,
    updated_at: now,
  }
  await LtiMemberModel.create({ _id: `1/${sub}`, ...member })
  const wanted = { score: { given: 18, of: 20 }, comment: 'Well done, Zebulon!', revision: 1 }
  await LtiScoreModel.create({
    _id: `1/${sub}`,
    link: 1,
    platform_id: 1,
    assignment_id: assignmentId,
    user_id,
    sub,
    submission_id: submissionId,
    wanted,
    change: 1,
    state: 'sent',
    next_at: new Date('2100-01-01'),
    accepted: { ...wanted, points: 9, maximum: 10, stamp: now, at: now },
    updated_at: now,
  })
  const launch = {
    message: 'resource_link' as const,
    platform_id: 1,
    deployment_id: '1',
    identity: 1,
    role: 'student' as const,
    via: 'cookie' as const,
    code_expires_at: soon(),
    created_at: now,
    expires_at: soon(),
  }
  await LtiLaunchModel.create({ _id: 'theirs', user_id, ...launch })
  await LtiLaunchModel.create({ _id: 'about', user_id: 1, for_user_id: user_id, ...launch })
}

async function addToClassScan(of: { assignmentId: number; studentId: number; ownerId: number; now: Date }) {
  const scanId = await nextId('class_scans')
  const pages = [{ key: 'p1', page: 1, turn: 0 as const, blank_page: 1, doubts: [] }]
  const student = { student_id: of.studentId, student_by: 'match' as const, student_doubt: null, checked: false }
  const proposal = {
    papers: [{ key: 'one', pages, notes: [], name_read: everywhere.full_name, ...student }],
    dropped: [],
    split: { by: 'blank' as const, pages_per_paper: null },
  }
  await ClassScanModel.create({
    _id: scanId,
    assignment_id: of.assignmentId,
    created_by: of.ownerId,
    created_at: of.now,
    state: 'ready',
    failure: null,
    files: [{ hash: 'c'.repeat(64), name: 'copier.pdf', size: 1, pages: 1 }],
    progress: { step: 'names', done: 1, total: 1 },
    proposal,
    revision: 1,
  })
  await ClassScanStepModel.create({ _id: `${scanId}/0`, scan_id: scanId, revision: 0, proposal })
  await ClassScanPageModel.create({
    ...{ _id: `${scanId}/1`, scan_id: scanId, page: 1, file: 0, number: 1, turn: 0, empty: false },
    ...{ blank_page: 1, sure: true, picture: Buffer.from('a picture'), written: null },
    hints: [{ kind: 'name', text: everywhere.full_name, page: 1, ocr: true }],
  })
}
