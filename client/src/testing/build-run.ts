import type { Run, RunEstimate } from '@assay/shared/runs.ts'

const at = '2026-01-05T09:00:00.000Z'

export const buildRun = (part: Partial<Run> = {}): Run => ({
  id: 9,
  assignment_id: 5,
  status: 'grading',
  total: 12,
  read: 12,
  graded: 4,
  failed: 0,
  stopped: 0,
  seconds_left: 40,
  failure: null,
  waiting: null,
  graders: ['offline'],
  cost: null,
  started_at: at,
  finished_at: null,
  ...part,
})

export const buildRunEstimate = (part: Partial<RunEstimate> = {}): RunEstimate => ({
  papers: 3,
  unread: 0,
  pages_to_read: 0,
  grader: 'offline',
  leaves_server: false,
  pictures: false,
  input_tokens: 0,
  output_tokens: 0,
  dollars: 0,
  seconds: 2,
  left_of_budget: null,
  enough: true,
  problems: [],
  ...part,
})

export const buildLlmRunEstimate = (part: Partial<RunEstimate> = {}): RunEstimate =>
  buildRunEstimate({
    grader: 'openai/gpt-test',
    leaves_server: true,
    pictures: true,
    input_tokens: 18_400,
    output_tokens: 5120,
    dollars: 0.84,
    seconds: 240,
    left_of_budget: 12.3,
    ...part,
  })
