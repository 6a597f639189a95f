import { z } from 'zod'
import { defineEndpoint } from './http/endpoint.ts'

const submissionPath = '/assignments/:assignmentId/submissions/:submissionId'

export const getGradedPaper = defineEndpoint('get', `${submissionPath}/graded-paper.pdf`, {
  summary: 'A paper as PDF with its current grade: points and comments on the pages, and a summary in front',
  reply: z.string(),
  raw: 'application/pdf',
  timeoutMs: 300_000,
})

export const getOwnGradedPaper = defineEndpoint('get', '/student/assignments/:assignmentId/graded-paper.pdf', {
  summary: 'The student’s own paper as PDF with its released grade',
  access: ['student'],
  reply: z.string(),
  raw: 'application/pdf',
  timeoutMs: 300_000,
})

/** `X-Total-Count` is the number of papers. */
export const exportGradedPapers = defineEndpoint('get', '/assignments/:assignmentId/export/graded-papers.zip', {
  summary: 'All graded papers of an assignment as ZIP of PDFs',
  reply: z.string(),
  raw: 'application/zip',
  hasTotalCount: true,
  timeoutMs: 3_600_000,
})
