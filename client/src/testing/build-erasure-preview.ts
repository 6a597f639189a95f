import type { ErasurePreview, ErasureProgress } from '@assay/shared/personal-data.ts'

export const buildErasurePreview = (part: Partial<ErasurePreview> = {}): ErasurePreview => ({
  blockers: [],
  papers: 0,
  retained_grades: 0,
  courses_left: 0,
  courses_deleted: 0,
  assignments_deleted: 0,
  lms_names: [],
  progress: null,
  ...part,
})

export const buildErasureProgress = (part: Partial<ErasureProgress> = {}): ErasureProgress => ({
  state: 'running',
  placeholder: 'Deleted student 4f2a',
  doing: 'Deleting papers and grades',
  done: 3,
  total: 10,
  waiting: false,
  started_at: '2026-01-12T14:02:00Z',
  finished_at: null,
  ...part,
})
