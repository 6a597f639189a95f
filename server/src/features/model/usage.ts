import type { CourseModelUsage, ModelSums, SystemModelUsage } from '@assay/shared/model.ts'
import type { Services } from '../../services.ts'
import { AssignmentModel } from '../assignments/assignment.model.ts'
import type { CourseDoc } from '../courses/course.model.ts'
import { CourseModel } from '../courses/course.model.ts'
import { monthOf } from './model-call.model.ts'
import { type ModelSumsDoc, ModelSumsModel } from './model-sums.model.ts'
import { totalOf, totalsBy } from './sums.ts'

const MONTHS = 12

/** Months, newest first; within one, who spent most comes first. */
const byMoney = (a: ModelSums, b: ModelSums) =>
  (b.dollars ?? 0) - (a.dollars ?? 0) || b.input_tokens + b.output_tokens - a.input_tokens - a.output_tokens

function inMonth(all: ModelSumsDoc[], month: string) {
  const now = all.filter((sums) => sums.month === month)
  const months = totalsBy(all, (sums) => sums.month)
    .map(({ of, ...sums }) => ({ month: of, ...sums }))
    .sort((a, b) => b.month.localeCompare(a.month))
  return {
    now,
    shared: {
      month,
      total: totalOf(now),
      by_purpose: totalsBy(now, (sums) => sums.purpose)
        .map(({ of, ...sums }) => ({ purpose: of, ...sums }))
        .sort(byMoney),
      months: months.slice(0, MONTHS),
    },
  }
}

/** The months that are looked at: the last twelve, and the one asked for. */
function lookedAt(wanted: string, now: Date) {
  const first = monthOf(new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - MONTHS + 1, 1)))
  return { $or: [{ month: { $gte: first } }, { month: wanted }] }
}

const names = (rows: { _id: number; name: string }[]) => new Map(rows.map(({ _id, name }) => [_id, name]))

export async function systemUsage(
  month: string | undefined,
  { clock }: Pick<Services, 'clock'>,
): Promise<SystemModelUsage> {
  const now = clock.now()
  const wanted = month ?? monthOf(now)
  const all = await ModelSumsModel.find({ payer: 'system', ...lookedAt(wanted, now) }).lean()
  const { now: sums, shared } = inMonth(all, wanted)
  const courses = totalsBy(sums, ({ course_id }) => course_id).sort(byMoney)
  const ids = courses.flatMap(({ of }) => of ?? [])
  const called = names(await CourseModel.find({ _id: { $in: ids } }, { name: 1 }).lean())
  return {
    ...shared,
    courses: courses.map(({ of, ...row }) => ({ id: of, name: called.get(of ?? 0) ?? null, ...row })),
  }
}

export async function courseUsage(
  course: CourseDoc,
  month: string | undefined,
  { clock }: Pick<Services, 'clock'>,
): Promise<CourseModelUsage> {
  const now = clock.now()
  const wanted = month ?? monthOf(now)
  const all = await ModelSumsModel.find({ course_id: course._id, ...lookedAt(wanted, now) }).lean()
  const { now: sums, shared } = inMonth(all, wanted)
  const assignments = totalsBy(sums, ({ assignment_id }) => assignment_id).sort(byMoney)
  const ids = assignments.flatMap(({ of }) => of ?? [])
  const titled = await AssignmentModel.find({ _id: { $in: ids } }, { title: 1 }).lean()
  const called = names(titled.map(({ _id, title }) => ({ _id, name: title })))
  const ofRun = new Map(sums.map(({ run_id, assignment_id }) => [run_id, assignment_id]))
  return {
    ...shared,
    assignments: assignments.map(({ of, ...row }) => ({ id: of, name: called.get(of ?? 0) ?? null, ...row })),
    runs: totalsBy(sums, ({ run_id }) => run_id)
      .flatMap(({ of, ...row }) =>
        of === null ? [] : [{ run_id: of, assignment_id: ofRun.get(of) ?? null, ...row }],
      )
      .sort((a, b) => b.run_id - a.run_id),
  }
}
