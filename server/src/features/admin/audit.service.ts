import mongoose from 'mongoose'
import { nextId } from '../../lib/db.ts'
import type { Actor } from '../../lib/handle.ts'

interface AuditDoc {
  _id: number
  at: Date
  actor_id: number
  actor_role: string
  /** What was done, noun first: `grade.overridden`. */
  action: string
  /** The ids it was done to. */
  subject: Record<string, number>
  before: unknown
  after: unknown
}

const auditSchema = new mongoose.Schema<AuditDoc>(
  {
    _id: Number,
    at: { type: Date, required: true },
    actor_id: { type: Number, required: true },
    actor_role: { type: String, required: true },
    action: { type: String, required: true },
    subject: { type: mongoose.Schema.Types.Mixed, required: true },
    before: mongoose.Schema.Types.Mixed,
    after: mongoose.Schema.Types.Mixed,
  },
  { versionKey: false },
)
auditSchema.index({ action: 1, at: -1 })
export const AuditModel = mongoose.model('Audit', auditSchema, 'audit')

/** Who did what to which thing. Entries are only ever added. */
export async function recordAudit(
  actor: Actor,
  action: string,
  subject: Record<string, number>,
  at: Date,
  change: { before?: unknown; after?: unknown } = {},
): Promise<void> {
  await AuditModel.create({
    _id: await nextId('audit'),
    at,
    actor_id: actor.id,
    actor_role: actor.role,
    action,
    subject,
    before: change.before ?? null,
    after: change.after ?? null,
  })
}
