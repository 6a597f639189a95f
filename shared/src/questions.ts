import { z } from 'zod'
import { PerformanceLevel, UnscoredReason } from './grades.ts'
import { BodyId, defineEndpoint, Id, Timestamp } from './http/endpoint.ts'
import { Evidence } from './papers.ts'
import { PenMark } from './pen-marks.ts'
import { Criterion, Question, QuestionKind } from './rubrics.ts'
import { EnteredPoints } from './rules/points.ts'
import { ShownName } from './users.ts'

/** As many as an assignment may have papers. */
export const MAX_ANSWERS_PER_DECISION = 20_000
export const ANSWER_EXCERPT_LENGTH = 300

/** Only `read` and `empty` can be graded without looking at the page. */
export const AnswerState = z.enum(['read', 'empty', 'not_found', 'unreadable'])
export type AnswerState = z.infer<typeof AnswerState>

export const CriterionPoints = z.record(z.string().max(200), EnteredPoints)
export type CriterionPoints = z.infer<typeof CriterionPoints>

export const ActiveGrader = z.object({ id: Id, name: z.string() })
export type ActiveGrader = z.infer<typeof ActiveGrader>

export const QuestionProgress = z.object({
  question_id: z.string(),
  number: z.string(),
  prompt: z.string(),
  kind: QuestionKind,
  points: z.number(),
  answers: z.number().int(),
  /** Answers with a person's points for each criterion. */
  decided: z.number().int(),
  groups: z.number().int(),
  undecided_groups: z.number().int(),
  /** Undecided answers with a reason for review. */
  flagged: z.number().int(),
  by_hand: z.number().int(),
  /** In points, of decided and suggested scores. */
  mean: z.number().nullable(),
  minutes_left: z.number().int(),
  graders: z.array(ActiveGrader),
})
export type QuestionProgress = z.infer<typeof QuestionProgress>

export const QuestionAnswer = z.object({
  submission_id: Id,
  student: ShownName,
  state: AnswerState,
  excerpt: z.string(),
  /** Without criteria the grader gave no score. */
  suggested: CriterionPoints,
  /** 0..1: the lowest of its criteria's. */
  confidence: z.number(),
  flagged: z.boolean(),
  decided: CriterionPoints.nullable(),
  decided_by: z.string().nullable(),
  items: z.array(Id).optional(),
  /** Points typed beyond the items', by criterion. */
  adjustments: z.record(z.string(), z.number()).optional(),
})
export type QuestionAnswer = z.infer<typeof QuestionAnswer>

/** Decided together: the same once normalized, alike, or grouped by a teacher. The unreadable come first. */
export const AnswerGroup = z.object({
  id: z.string(),
  kind: z.enum(['same', 'similar', 'single', 'manual', 'empty', 'not_found', 'unreadable']),
  /** The same but for case, punctuation and the like; what most wrote comes first. */
  variants: z.array(z.array(Id)),
})
export type AnswerGroup = z.infer<typeof AnswerGroup>

export const UndoableChange = z.object({
  id: Id,
  /** `item`: its words or points, in all answers that have it. */
  kind: z.enum(['decision', 'grouping', 'item']),
  answers: z.number().int(),
  at: Timestamp,
})
export type UndoableChange = z.infer<typeof UndoableChange>

export const QuestionToGrade = z.object({
  question: Question.pick({ id: true, number: true, prompt: true, kind: true }).extend({
    points: z.number(),
    criteria: z.array(Criterion),
    notes: z.string().nullable(),
  }),
  answers: z.array(QuestionAnswer),
  /** By expected points, the highest first; the special ones last. */
  groups: z.array(AnswerGroup),
  /** Undecided answers that would teach the grader most, best first. */
  mark_first: z.array(Id),
  /** Suggestions a decision changes: for like answers, or with an LLM only for the same. */
  learns_from: z.enum(['like', 'same']),
  /** Decisions are still being carried to other answers. */
  learning: z.boolean(),
  /** Of suggestions for undecided answers, in points of this question. */
  expected_error: z.number().nullable(),
  undo: UndoableChange.nullable(),
  graders: z.array(ActiveGrader),
})
export type QuestionToGrade = z.infer<typeof QuestionToGrade>

/** `score` and `max_score` are points. */
export const AnswerCriterion = z.object({
  criterion_id: z.string(),
  score: z.number().nullable(),
  unscored_reason: UnscoredReason.optional(),
  max_score: z.number(),
  level: PerformanceLevel.nullable(),
  feedback: z.string(),
  confidence: z.number(),
  reasoning: z.string().optional(),
})
export type AnswerCriterion = z.infer<typeof AnswerCriterion>

export const AnswerDetails = z.object({
  ...QuestionAnswer.pick({ submission_id: true, student: true, state: true, decided: true, decided_by: true }).shape,
  text: z.string(),
  evidence: z.array(Evidence),
  /** In reading order, numbered as in `getAnswerPicture`. */
  pictures: z.array(z.object({ picture: z.number().int(), page: z.number().int() })),
  criteria: z.array(AnswerCriterion),
  reasons: z.array(z.string()),
  pen_marks: z.array(PenMark).optional(),
})
export type AnswerDetails = z.infer<typeof AnswerDetails>

export const listQuestions = defineEndpoint('get', '/assignments/:assignmentId/questions', {
  summary: 'How far the grading of each question is',
  reply: z.array(QuestionProgress),
})

const questionPath = '/assignments/:assignmentId/questions/:questionId'

export const getQuestion = defineEndpoint('get', questionPath, {
  summary: 'A question with all its answers, in groups',
  reply: QuestionToGrade,
})

export const getAnswer = defineEndpoint('get', `${questionPath}/answers/:submissionId`, {
  summary: 'One answer in full',
  reply: AnswerDetails,
})

export const getAnswerPicture = defineEndpoint('get', `${questionPath}/answers/:submissionId/pictures/:picture.png`, {
  summary: 'The part of a page where an answer stands, with a margin',
  reply: z.instanceof(Uint8Array),
  raw: 'image/png',
})

export const SeenAnswer = z.object({
  submission_id: BodyId,
  decided: CriterionPoints.nullable(),
  items: z.array(BodyId).max(200).optional(),
})

export const DecisionResult = z.object({
  change_id: Id.nullable(),
  changed: z.array(Id),
  /** Left alone: another person decided meanwhile. */
  conflicts: z.array(
    z.object({
      submission_id: Id,
      decided: CriterionPoints.nullable(),
      decided_by: z.string().nullable(),
      items: z.array(Id).optional(),
    }),
  ),
  /** Left alone: being graded, deleted, or graded by another version of the rubric. */
  unavailable: z.array(Id),
})
export type DecisionResult = z.infer<typeof DecisionResult>

export const decideAnswers = defineEndpoint('post', `${questionPath}/decisions`, {
  summary: 'Give points to some answers of a question at once, accept the suggestions, or withdraw points',
  body: z.object({
    answers: z.array(SeenAnswer).min(1).max(MAX_ANSWERS_PER_DECISION),
    /** `suggested`: each answer its own. Null withdraws people's points. Omitted criteria stay. */
    points: z.union([CriterionPoints, z.literal('suggested'), z.null()]),
  }),
  reply: DecisionResult,
})

export const groupAnswersTogether = defineEndpoint('post', `${questionPath}/groups`, {
  summary: 'Make some answers a group of their own: merges, splits or takes one out',
  body: z.object({ submission_ids: z.array(BodyId).min(1).max(MAX_ANSWERS_PER_DECISION) }),
  reply: z.object({ change_id: Id, group_id: z.string() }),
})

export const undoQuestionChange = defineEndpoint('post', `${questionPath}/changes/:changeId/undo`, {
  summary: 'Undo one of your own decisions or groupings',
  /** `undo`: the caller's change before that one. */
  reply: DecisionResult.extend({ undo: UndoableChange.nullable() }),
})

export const announceGrading = defineEndpoint('post', `${questionPath}/presence`, {
  summary: 'Tell co-graders that you have the question open; repeat it every 20 seconds',
  body: z.object({ open: z.boolean() }),
  reply: z.object({ graders: z.array(ActiveGrader) }),
})
