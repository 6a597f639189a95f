import type { AuditEntry } from '@assay/shared/admin.ts'
import type { GradeHistory } from '@assay/shared/grade-history.ts'
import { z } from 'zod'
import { changesOf, deedOf } from '../../admin/audit/audit-words.ts'
import { nameOfQuestion } from './criterion-names.ts'
import { overrideTold } from './override-words.ts'

/** What a person did, in sentences; `quote` is what they wrote. */
export interface DeedTold {
  first: string
  more: string[]
  quote?: string | undefined
}

type Told = Pick<GradeHistory, 'suggestions'>

/** A deed as a teacher, or a student's parent, would say it. One we have no sentence for is told as the log has it. */
export function deedTold(entry: AuditEntry, history: Told): DeedTold {
  const who = entry.actor.full_name ?? entry.actor.username ?? `User ${entry.actor.id}`
  const told = sentences[entry.action]?.(entry, who, history)
  return (
    told ?? {
      first: `${deedOf(entry.action)} by ${who}`,
      more: changesOf(entry).map(({ field, from, to }) => `${field}: ${from} → ${to}`),
    }
  )
}

const Corrected = z.object({ question: z.string(), text: z.string() })
const Owner = z.object({ student_id: z.number().nullable() })

const sentences: Record<string, (entry: AuditEntry, who: string, history: Told) => DeedTold | null> = {
  'grade.overridden': overrideTold,
  'regrade.asked': ({ after }, who) => {
    const { data } = z.object({ reason: z.string() }).safeParse(after)
    return { first: `${who} asked for another look`, more: [], quote: data?.reason }
  },
  'regrade.answered': ({ after }, who) => {
    const { data } = z.object({ answer: z.string() }).safeParse(after)
    return { first: `${who} answered the request for another look`, more: [], quote: data?.answer }
  },
  'transcription.corrected': ({ before, after }, who, history) => {
    const [was, is] = [Corrected.safeParse(before).data, Corrected.safeParse(after).data]
    if (!was || !is) return null
    return {
      first: `${who} corrected what was read for ${nameOfQuestion(is.question, history)}`,
      more: [`${was.text.trim() === '' ? 'Nothing' : `“${was.text}”`} became “${is.text}”.`],
    }
  },
  'transcription.taken_back': ({ after }, who, history) => {
    const is = Corrected.safeParse(after).data
    if (!is) return null
    return {
      first: `${who} went back to what was first read for ${nameOfQuestion(is.question, history)}`,
      more: is.text.trim() === '' ? [] : [`It reads “${is.text}” again.`],
    }
  },
  'submission.student_set': ({ before, after }, who) => {
    const [was, is] = [Owner.safeParse(before).data, Owner.safeParse(after).data]
    if (!was || !is) return null
    if (is.student_id === null) return { first: `${who} took the student’s name off this paper`, more: [] }
    return {
      first:
        was.student_id === null
          ? `${who} said which student wrote this paper`
          : `${who} gave this paper to another student`,
      more: [],
    }
  },
}
