import { z } from 'zod'
import { GroupRule } from './groups.ts'
import {
  BodyId,
  defineEndpoint,
  FormFlag,
  FormFlags,
  Id,
  OptionalFormId,
  OptionalFormTime,
  Paging,
  Timestamp,
} from './http/endpoint.ts'
import { LatePenalty, ScoreAdjustment } from './rules/adjust-score.ts'
import { LateRule, PlannedTime, WindowState } from './rules/dates.ts'
import { lineOfText } from './rules/text.ts'
import { ShownStudent } from './users.ts'

export const AssignmentStatus = z.enum(['draft', 'published'])

/** For students to hand in; `available_at` null: once published. */
export const assignmentDates = {
  available_at: Timestamp.nullable(),
  due_at: Timestamp.nullable(),
  closes_at: Timestamp.nullable(),
  late_rule: LateRule,
}

/** `counts` are submissions; `unreleased`: of a published assignment. */
export const Assignment = z.object({
  id: Id,
  title: z.string(),
  status: AssignmentStatus,
  course_id: Id.nullable(),
  course_name: z.string().nullable(),
  counts: z.object({
    submissions: z.number().int(),
    graded: z.number().int(),
    flagged: z.number().int(),
    failed: z.number().int(),
    reviewed: z.number().int(),
    unreleased: z.number().int(),
    regrades: z.number().int(),
  }),
  created_at: Timestamp,
  updated_at: Timestamp,
  published_at: Timestamp.nullable(),
  ...assignmentDates,
  late_penalty: LatePenalty.optional(),
  score_adjustment: ScoreAdjustment.optional(),
  /** Students may hand in one paper together; omitted where they may not. */
  groups: GroupRule.optional(),
  /** Whether it is open for students without an extension. */
  dates_state: WindowState,
  lms_names: z.array(z.string()).optional(),
  rubric_checked: z.literal(true).optional(),
  /** Until a teacher has looked; not in lists. */
  doubtful_results: z.array(z.object({ question_id: z.string(), message: z.string() })).optional(),
  /** Omitted where names were never hidden. */
  anonymous: z
    .object({
      names_hidden: z.boolean(),
      times_shown: z.number().int(),
      last_shown: z.object({ by_name: z.string(), at: Timestamp }).nullable(),
    })
    .optional(),
  work_deletion_at: Timestamp.optional(),
  work_deleted_at: Timestamp.optional(),
})
export type Assignment = z.infer<typeof Assignment>

const DeletionDetails = z.object({ warnings: z.array(z.string()) })

export const listAssignments = defineEndpoint('get', '/assignments', {
  summary: 'The assignments of the courses the caller teaches, newest first',
  query: Paging.extend({ course_id: Id.optional() }),
  reply: z.array(Assignment),
  hasTotalCount: true,
})

export const getAssignment = defineEndpoint('get', '/assignments/:assignmentId', {
  summary: 'An assignment',
  reply: Assignment,
})

export const createAssignment = defineEndpoint('post', '/assignments/create_with_files', {
  summary: 'Create an assignment from its PDFs: all are stored, or none',
  status: 201,
  body: z.object({
    name: z
      .string({ error: 'Assignment name, blank assignment PDF, and answer key PDF are required.' })
      .refine((name) => name.trim() !== '', 'Assignment name, blank assignment PDF, and answer key PDF are required.')
      .pipe(lineOfText('Assignment name', 200)),
    course_id: OptionalFormId,
    available_at: OptionalFormTime,
    due_at: OptionalFormTime,
    closes_at: OptionalFormTime,
    late_rule: LateRule.optional(),
    hide_names: FormFlag.default(false),
    /** Omitted or empty: everybody hands in alone. */
    group_max: z
      .union([z.literal('').transform(() => undefined), z.coerce.number().pipe(GroupRule.shape.max)])
      .optional(),
    groups_by: GroupRule.shape.by.default('students'),
    blank_pdf_is_handwritten: FormFlag.default(false),
    answer_key_is_handwritten: FormFlag.default(false),
    student_submissions_are_handwritten: FormFlags,
  }),
  files: { blank_pdf: 'one', answer_key_pdf: 'one', student_submission_pdfs: 'many' },
  reply: Assignment,
})

const title = lineOfText('Assignment name', 200).refine((name) => name !== '', 'Assignment name is required')
const moment = PlannedTime.nullable()

/** Omitted fields stay; null removes a date, or the assignment from its course. */
export const updateAssignment = defineEndpoint('patch', '/assignments/:assignmentId', {
  summary: 'Change an assignment’s name, course or dates',
  body: z.object({
    name: title.optional(),
    course_id: BodyId.nullable().optional(),
    available_at: moment.optional(),
    due_at: moment.optional(),
    closes_at: moment.optional(),
    late_rule: LateRule.optional(),
    /** Null: no new groups. Those there are stay. */
    groups: GroupRule.nullable().optional(),
  }),
  reply: Assignment,
})

export const setNamesHidden = defineEndpoint('put', '/assignments/:assignmentId/anonymous-grading', {
  summary: 'Hide students’ names from everyone who grades the assignment, or show them again; both are audited',
  body: z.object({ names_hidden: z.boolean() }),
  reply: Assignment,
})

export const Extension = z.object({ student: ShownStudent, due_at: Timestamp, closes_at: Timestamp.nullable() })
export type Extension = z.infer<typeof Extension>

export const listExtensions = defineEndpoint('get', '/assignments/:assignmentId/extensions', {
  summary: 'The students with an extension; refused while names are hidden',
  reply: z.array(Extension),
})

export const setExtension = defineEndpoint('put', '/assignments/:assignmentId/extensions/:studentId', {
  summary: 'Give a student an extension, or change it; refused while names are hidden',
  body: z.object({ due_at: PlannedTime, closes_at: moment.default(null) }),
  reply: Extension,
})

export const removeExtension = defineEndpoint('delete', '/assignments/:assignmentId/extensions/:studentId', {
  summary: 'Remove a student’s extension; refused while names are hidden',
  reply: z.object({ message: z.string() }),
})

export const publishAssignment = defineEndpoint('patch', '/assignments/:assignmentId/publish', {
  summary: 'Show the assignment to students and release its current grades; call it again to release later grades',
  body: z.object({ reviewed_only: z.boolean().optional() }).optional(),
  reply: Assignment,
})

export const unpublishAssignment = defineEndpoint('patch', '/assignments/:assignmentId/unpublish', {
  summary: 'Hide the assignment and its grades from students; scores sent to an LMS stay there unless requested',
  body: z.object({ clear_lms_scores: z.boolean().optional() }).optional(),
  reply: Assignment,
})

export const deleteAssignment = defineEndpoint('delete', '/assignments/:assignmentId', {
  summary: 'Delete an assignment with its submissions, grades and files',
  reply: z.object({ message: z.string(), validation_details: DeletionDetails }),
})

export const previewDeletion = defineEndpoint('get', '/assignments/deletion-preview', {
  summary: 'Preview what deleting assignments would delete; `ids` separated by commas',
  query: z.object({
    ids: z
      .string()
      .transform((text) => text.split(',').map(Number))
      .pipe(z.array(BodyId).min(1).max(500)),
  }),
  reply: z.object({ validation_details: DeletionDetails }),
})

export const deleteAssignments = defineEndpoint('delete', '/assignments/bulk', {
  summary: 'Delete several assignments with their submissions, grades and files',
  body: z.object({ assignment_ids: z.array(BodyId).min(1, 'No assignments selected for deletion').max(500) }),
  reply: z.object({
    results: z.object({
      total_requested: z.number().int(),
      total_deleted: z.number().int(),
      successful_deletions: z.array(Id),
      failed_deletions: z.array(z.object({ id: Id, title: z.string() })),
      validation_failures: z.array(z.object({ id: Id, error: z.string() })),
    }),
  }),
})
