import { z } from 'zod'
import { BodyId, defineEndpoint, Id, Paging } from './http/endpoint.ts'
import { MatchReason } from './match-reasons.ts'
import { SubmissionRow } from './submissions.ts'
import { ShownName, ShownStudent } from './users.ts'

const MatchSuggestion = z.object({ student: ShownStudent, reason: MatchReason, other_paper_id: Id.nullable() })

export const UnmatchedPaper = z.object({
  submission: SubmissionRow,
  name_on_paper: ShownName.nullable(),
  suggestions: z.array(MatchSuggestion),
})
export type UnmatchedPaper = z.infer<typeof UnmatchedPaper>

export const listMatches = defineEndpoint('get', '/assignments/:assignmentId/submissions/matches', {
  summary: 'The unmatched papers, with suggested students; refused while names are hidden',
  query: Paging,
  reply: z.array(UnmatchedPaper),
  hasTotalCount: true,
})

const MatchResult = z.object({ matched: z.number().int(), left: z.number().int(), papers: z.array(SubmissionRow) })

export const matchSubmissions = defineEndpoint('post', '/assignments/:assignmentId/submissions/match', {
  summary: 'Match unmatched papers again, for instance after students were added',
  reply: MatchResult,
})

export const acceptMatches = defineEndpoint('post', '/assignments/:assignmentId/submissions/matches', {
  summary: 'Match several papers to students; those that cannot be are left; refused while names are hidden',
  body: z.object({
    accepted: z
      .array(z.object({ submission_id: BodyId, student_id: BodyId }))
      .min(1)
      .max(500),
  }),
  reply: MatchResult,
})

const submissionPath = '/assignments/:assignmentId/submissions/:submissionId'

export const setSubmissionStudent = defineEndpoint('put', `${submissionPath}/student`, {
  summary: 'Match a paper and its released grade to a student; null removes the match; refused while names are hidden',
  body: z.object({ student_id: BodyId.nullable() }),
  reply: z.object({ submission: SubmissionRow, other_paper_ids: z.array(Id) }),
})
