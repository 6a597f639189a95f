import type { listAudit } from '@assay/shared/admin.ts'
import type { QueryOf } from '@assay/shared/http/endpoint.ts'
import type { QueryFilter } from 'mongoose'
import { nextIds } from '../lib/database/database.ts'
import { type DocOf, defineModel, field, Mixed, schemaOf } from '../lib/database/define-model.ts'
import type { Actor } from '../lib/http/handle.ts'

const auditSchema = schemaOf({
  _id: field.id(Number),
  at: field.required(Date),
  actor_id: field.required(Number),
  actor_role: field.required(String),
  /** Absent in early entries. */
  session_id: field.optional(String),
  action: field.required(String),
  subject: field.required<Record<string, number>>(Mixed),
  before: field.custom<unknown>({ type: Mixed }),
  after: field.custom<unknown>({ type: Mixed }),
  /** Its texts were removed with somebody's personal data. */
  erased: field.optional<true>(Boolean),
})
export type AuditDoc = DocOf<typeof auditSchema>
auditSchema.index({ action: 1, at: -1 })
auditSchema.index({ actor_id: 1, at: -1 })
auditSchema.index({ session_id: 1, action: 1 })
auditSchema.index({ 'subject.submission_id': 1 }, { sparse: true })
auditSchema.index({ 'subject.user_id': 1 }, { sparse: true })
auditSchema.index({ 'subject.student_id': 1 }, { sparse: true })
export const AuditModel = defineModel('Audit', auditSchema, 'audit')

export type AuditActor = Omit<Actor, 'role'> & { role: Actor['role'] | 'lms' | 'system' }
export const LMS_ACTOR: AuditActor = { id: 0, role: 'lms', sessionId: 'lms' }
export const SYSTEM_ACTOR: AuditActor = { id: 0, role: 'system', sessionId: 'system' }

export function recordAudit(
  actor: AuditActor,
  action: string,
  subject: Record<string, number>,
  at: Date,
  change: { before?: unknown; after?: unknown } = {},
): Promise<void> {
  return recordAudits(actor, action, [subject], at, change)
}

export function recordAudits(
  actor: AuditActor,
  action: string,
  subjects: Record<string, number>[],
  at: Date,
  change: { before?: unknown; after?: unknown } = {},
): Promise<void> {
  return recordAuditEntries(
    actor,
    action,
    subjects.map((subject) => ({ subject, ...change })),
    at,
  )
}

export async function recordAuditEntries(
  actor: AuditActor,
  action: string,
  changes: { subject: Record<string, number>; before?: unknown; after?: unknown }[],
  at: Date,
): Promise<void> {
  if (changes.length === 0) return
  const first = await nextIds('audit', changes.length)
  const entries = changes.map(
    ({ subject, before, after }, i): AuditDoc => ({
      _id: first + i,
      at,
      actor_id: actor.id,
      actor_role: actor.role,
      session_id: actor.sessionId,
      action,
      subject,
      before: before ?? null,
      after: after ?? null,
    }),
  )
  await AuditModel.insertMany(entries, { lean: true })
}

/** @param who null for everybody. @param anonymous assignments whose students' entries are not found by person */
export async function findAuditEntries(
  query: Partial<Omit<QueryOf<typeof listAudit>, 'person'>>,
  who: number[] | null,
  anonymous: number[] = [],
): Promise<{ entries: AuditDoc[]; total: number }> {
  const filter: QueryFilter<AuditDoc> = {
    ...(query.action ? { action: query.action } : {}),
    ...(who === null
      ? {}
      : {
          $or: [
            { actor_id: { $in: who }, actor_role: { $ne: 'student' } },
            { actor_id: { $in: who }, 'subject.assignment_id': { $nin: anonymous } },
            { 'subject.user_id': { $in: who }, 'subject.assignment_id': { $nin: anonymous } },
            { 'subject.student_id': { $in: who }, 'subject.assignment_id': { $nin: anonymous } },
          ],
        }),
    ...(query.from || query.to
      ? {
          at: {
            ...(query.from ? { $gte: new Date(query.from) } : {}),
            ...(query.to ? { $lt: new Date(query.to) } : {}),
          },
        }
      : {}),
  }
  const [entries, total] = await Promise.all([
    AuditModel.find(filter)
      .sort({ _id: -1 })
      .skip(query.skip ?? 0)
      .limit(query.limit ?? 100)
      .lean(),
    AuditModel.countDocuments(filter),
  ])
  return { entries, total }
}

export async function auditedSubmissions(
  action: string,
  { changeId, submissionIds }: { changeId: number; submissionIds: number[] },
): Promise<Set<number>> {
  const entries = await AuditModel.find(
    { 'subject.submission_id': { $in: submissionIds }, 'subject.change_id': changeId, action },
    { subject: 1 },
  ).lean()
  return new Set(entries.flatMap(({ subject }) => subject.submission_id ?? []))
}

export function auditEntriesOfSubmission(submissionId: number): Promise<AuditDoc[]> {
  return AuditModel.find({ 'subject.submission_id': submissionId }).sort({ _id: 1 }).lean()
}

export async function distinctAuditActions(): Promise<string[]> {
  return (await AuditModel.distinct('action')).sort()
}
