import type { AuditEntry } from '@assay/shared/admin.ts'
import type { GradeHistory } from '@assay/shared/grade-history.ts'
import { MatchReason } from '@assay/shared/match-reasons.ts'
import { z } from 'zod'
import { actionLabel, changesOf } from '../../admin/audit/audit-messages.ts'
import { matchReasonLabels } from '../../submissions/match/match-reason-labels.ts'
import { questionName } from './criterion-names.ts'
import type { EventDescription } from './event-description.ts'
import { describeOverride } from './override-messages.ts'

type HistorySuggestions = Pick<GradeHistory, 'suggestions'>

/** An audit event in words for a teacher, or a student's parent. One we have no sentence for is shown as logged. */
export function describeAuditEvent(entry: AuditEntry, history: HistorySuggestions): EventDescription {
  const who =
    entry.actor.full_name ?? entry.actor.username ?? (entry.actor.id === 0 ? 'The student' : `User ${entry.actor.id}`)
  const described = describers[entry.action]?.(entry, who, history)
  return (
    described ?? {
      headline: `${actionLabel(entry.action)} by ${who}`,
      details: changesOf(entry).map(({ field, from, to }) => `${field}: ${from} → ${to}`),
    }
  )
}

const Corrected = z.object({ question: z.string(), text: z.string() })
const PaperSplit = z.object({ second_submission_id: z.number(), second_begins_on: z.number() })
const StudentAssigned = z.object({ student_id: z.number().nullable(), reason: MatchReason.optional() })

const nameOf = ({ subjects }: AuditEntry) => subjects.find(({ kind }) => kind === 'student')?.name ?? null

const describers: Record<
  string,
  (entry: AuditEntry, who: string, history: HistorySuggestions) => EventDescription | null
> = {
  'grade.overridden': describeOverride,
  'grade.approved': (_, who) => ({
    headline: `${who} approved this grade with all others that were sure`,
    details: [],
  }),
  'grade.approval_undone': (_, who) => ({ headline: `${who} undid the approval of this grade`, details: [] }),
  'regrade.asked': ({ after }, who) => {
    const { data } = z.object({ reason: z.string() }).safeParse(after)
    return { headline: `${who} requested a regrade`, details: [], quote: data?.reason }
  },
  'regrade.answered': ({ after }, who) => {
    const { data } = z.object({ answer: z.string() }).safeParse(after)
    return { headline: `${who} answered the regrade request`, details: [], quote: data?.answer }
  },
  'late_penalty.waived': (_, who) => ({ headline: `${who} waived the late penalty`, details: [] }),
  'late_penalty.restored': (_, who) => ({ headline: `${who} applied the late penalty again`, details: [] }),
  'transcription.corrected': ({ before, after }, who, history) => {
    const [was, is] = [Corrected.safeParse(before).data, Corrected.safeParse(after).data]
    if (!was || !is) return null
    return {
      headline: `${who} corrected the transcription of ${questionName(is.question, history)}`,
      details: [`${was.text.trim() === '' ? 'Nothing' : `“${was.text}”`} became “${is.text}”.`],
    }
  },
  'transcription.taken_back': ({ after }, who, history) => {
    const is = Corrected.safeParse(after).data
    if (!is) return null
    return {
      headline: `${who} restored the original transcription of ${questionName(is.question, history)}`,
      details: is.text.trim() === '' ? [] : [`It reads “${is.text}” again.`],
    }
  },
  'submission.problems_decided': (_entry, who) => ({
    headline: `${who} looked at what seems wrong with this paper, and had it graded`,
    details: [],
  }),
  'submission.split': ({ after }, who) => {
    const made = PaperSplit.safeParse(after).data
    if (!made) return null
    return {
      headline: `${who} split this paper from another student’s`,
      details: [`The pages from ${made.second_begins_on} on are submission #${made.second_submission_id}.`],
    }
  },
  'submission.student_set': (entry, who) => {
    const [was, is] = [StudentAssigned.safeParse(entry.before).data, StudentAssigned.safeParse(entry.after).data]
    if (!was || !is) return null
    const [name, why] = [nameOf(entry), is.reason && matchReasonLabels[is.reason]]
    if (is.student_id === null)
      return {
        headline: `${who} unmatched this paper from ${name ?? 'its student'}`,
        details: why ? [`The ${why} is another student’s.`] : [],
      }
    return {
      headline: `${who} matched this paper to ${name ?? (was.student_id === null ? 'a student' : 'another student')}`,
      details: why ? [`By the ${why}.`] : [],
    }
  },
}
