import type { CourseLlmUsage, LlmTotals, SystemLlmUsage } from '@assay/shared/llm/llm.ts'
import type { CourseDoc } from '../../../records/courses/course.model.ts'
import { monthOf } from '../../../records/llm/llm-call.model.ts'
import { type LlmTotalsDoc, LlmTotalsModel } from '../../../records/llm/llm-totals.model.ts'
import type { Services } from '../../../services.ts'
import { assignmentTitlesById } from '../../assignments/assignment.service.ts'
import { courseNamesById } from '../../courses/course.service.ts'
import { groupTotals, sumTotals } from './llm-totals.ts'

const MONTHS = 12

const byDollars = (a: LlmTotals, b: LlmTotals) =>
  (b.dollars ?? 0) - (a.dollars ?? 0) || b.input_tokens + b.output_tokens - a.input_tokens - a.output_tokens

function usageInMonth(all: LlmTotalsDoc[], month: string) {
  const now = all.filter((sums) => sums.month === month)
  const months = groupTotals(all, (sums) => sums.month)
    .map(({ of, ...sums }) => ({ month: of, ...sums }))
    .sort((a, b) => b.month.localeCompare(a.month))
  return {
    now,
    shared: {
      month,
      total: sumTotals(now),
      by_purpose: groupTotals(now, (sums) => sums.purpose)
        .map(({ of, ...sums }) => ({ purpose: of, ...sums }))
        .sort(byDollars),
      months: months.slice(0, MONTHS),
    },
  }
}

async function usageOf(of: { payer: 'system' } | { course_id: number }, month: string | undefined, now: Date) {
  const wanted = month ?? monthOf(now)
  const first = monthOf(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - MONTHS + 1, 1)))
  const all = await LlmTotalsModel.find({ ...of, $or: [{ month: { $gte: first } }, { month: wanted }] }).lean()
  return usageInMonth(all, wanted)
}

export async function systemLlmUsage(
  month: string | undefined,
  { clock }: Pick<Services, 'clock'>,
): Promise<SystemLlmUsage> {
  const { now: sums, shared } = await usageOf({ payer: 'system' }, month, clock.now())
  const courses = groupTotals(sums, ({ course_id }) => course_id).sort(byDollars)
  const ids = courses.flatMap(({ of }) => of ?? [])
  const names = await courseNamesById(ids)
  return {
    ...shared,
    courses: courses.map(({ of, ...row }) => ({ id: of, name: names.get(of ?? 0) ?? null, ...row })),
  }
}

export async function courseLlmUsage(
  course: CourseDoc,
  month: string | undefined,
  { clock }: Pick<Services, 'clock'>,
): Promise<CourseLlmUsage> {
  const { now: sums, shared } = await usageOf({ course_id: course._id }, month, clock.now())
  const assignments = groupTotals(sums, ({ assignment_id }) => assignment_id).sort(byDollars)
  const ids = assignments.flatMap(({ of }) => of ?? [])
  const titles = await assignmentTitlesById(ids)
  const ofRun = new Map(sums.map(({ run_id, assignment_id }) => [run_id, assignment_id]))
  return {
    ...shared,
    assignments: assignments.map(({ of, ...row }) => ({ id: of, name: titles.get(of ?? 0) ?? null, ...row })),
    runs: groupTotals(sums, ({ run_id }) => run_id)
      .flatMap(({ of, ...row }) => (of === null ? [] : [{ run_id: of, assignment_id: ofRun.get(of) ?? null, ...row }]))
      .sort((a, b) => b.run_id - a.run_id),
  }
}
