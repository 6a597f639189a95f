import mongoose from 'mongoose'

/** `returned`: was suspended, and is listed again. */
export type SyncOutcome = 'created' | 'changed' | 'returned' | 'unchanged' | 'suspended'

/** Somebody in a context, as the last launch or roster sync told. */
export interface LtiMemberDoc {
  /** `context/sub`, ours and theirs: told twice, it stands once. */
  _id: string
  context: number
  sub: string
  user_id: number
  /** Null for a role that is none of ours. */
  role: 'instructor' | 'student' | null
  /** `suspended`: the LMS lists them no more, or as inactive. Their work stays. */
  status: 'active' | 'suspended'
  name: string | null
  email: string | null
  /** The school's number for them, where its roster has one. */
  sis_id?: string | null
  test_user: boolean
  /** When the last sync began that dealt with them, and what it did; null for one that only launched. */
  synced_at: Date | null
  outcome?: SyncOutcome | null
  /** When the last sync began that found them listed as inactive. */
  inactive_at?: Date | null
  updated_at: Date
}

const memberSchema = new mongoose.Schema<LtiMemberDoc>(
  {
    _id: String,
    context: { type: Number, required: true },
    sub: { type: String, required: true },
    user_id: { type: Number, required: true },
    role: { type: String, default: null },
    status: { type: String, required: true },
    name: { type: String, default: null },
    email: { type: String, default: null },
    sis_id: { type: String, default: null },
    test_user: { type: Boolean, default: false },
    synced_at: { type: Date, default: null },
    outcome: { type: String, default: null },
    inactive_at: { type: Date, default: null },
    updated_at: { type: Date, required: true },
  },
  { versionKey: false },
)
memberSchema.index({ context: 1, status: 1, synced_at: 1 })
memberSchema.index({ user_id: 1, context: 1 })

export const LtiMemberModel = mongoose.model('LtiMember', memberSchema, 'lti_members')
