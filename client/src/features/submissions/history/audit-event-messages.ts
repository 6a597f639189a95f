import type { AuditEntry } from '@assay/shared/admin.ts'
import type { GradeHistory, SuggestionEntry } from '@assay/shared/grade-history.ts'
import { MatchReason } from '@assay/shared/match-reasons.ts'
import { percentFromPoints } from '@assay/shared/rules/criterion-points.ts'
import { shorten } from '@assay/shared/rules/shorten.ts'
import { z } from 'zod'
import { formatDateTime, formatPercent, formatPoints } from '../../../lib/format.ts'
import { actionLabel, changesOf } from '../../admin/audit/AuditList.tsx'
import { matchReasonLabels } from '../match/match-reason-labels.ts'

const Points = z.record(z.string(), z.number())
/** As stored in the audit log; older entries have fewer fields. */
const Decision = z.object({
  overall_score: z.number().nullish(),
  manual_score_override: z.number().nullable().default(null),
  manual_feedback: z.string().nullable().default(null),
  needs_review: z.boolean().optional(),
  points: Points.default({}),
  criterion_feedback: z.record(z.string(), z.string()).default({}),
})
type Decision = z.infer<typeof Decision>

function describeOverride(
  entry: AuditEntry,
  who: string,
  { suggestions }: Pick<GradeHistory, 'suggestions'>,
): EventDescription | null {
  const [before, after] = [Decision.safeParse(entry.before).data, Decision.safeParse(entry.after).data]
  if (!before || !after) return null
  const suggestion = suggestionAtDecision(entry, suggestions)
  const criteria = suggestion?.criteria ?? []
  const points = pointsChanged(before.points, after.points, criteria)
  const ai = after.overall_score ?? suggestion?.overall_score ?? undefined
  const wrote = before.manual_feedback !== after.manual_feedback
  const clauses = [
    ...points,
    ...scoreChanged(before, after, ai, points.length > 0, criteria),
    ...(wrote ? [feedbackChanged(before, after)] : []),
    ...wordsChanged(before.criterion_feedback, after.criterion_feedback, criteria),
    ...(!before.needs_review && after.needs_review ? ['flagged the paper for review'] : []),
  ]
  const final = after.manual_score_override ?? ai
  const [first = approval(before, final), ...more] = clauses
  return {
    headline: `${who} ${first}`,
    details: [
      ...more.map((clause) => `${clause.charAt(0).toUpperCase()}${clause.slice(1)}.`),
      ...(points.length > 0 ? gradeChange(before.manual_score_override ?? ai, final) : []),
    ],
    quote: wrote ? (after.manual_feedback ?? undefined) : undefined,
  }
}

function suggestionAtDecision(entry: AuditEntry, suggestions: SuggestionEntry[]): SuggestionEntry | undefined {
  const id = entry.subjects.find(({ kind }) => kind === 'grade')?.id
  return suggestions.find(({ grade_id }) => grade_id === id) ?? suggestions.findLast(({ at }) => at <= entry.at)
}

function pointsChanged(
  before: Record<string, number>,
  after: Record<string, number>,
  criteria: SuggestionEntry['criteria'],
): string[] {
  return changesByCriterion(before, after, criteria, (was, is, name, ai) => {
    if (is === undefined)
      return `removed their points for ${name}${ai === undefined ? '' : `: the AI’s ${formatPoints(ai)} count again`}`
    if (was === undefined && ai === is) return `kept the AI’s ${formatPoints(is)} for ${name}`
    const from = was ?? ai
    return from === undefined
      ? `gave ${formatPoints(is)} for ${name}`
      : `changed the points of ${name} from ${was === undefined ? 'the AI’s ' : ''}${formatPoints(from)} to ${formatPoints(is)}`
  })
}

function changesByCriterion<V>(
  before: Record<string, V>,
  after: Record<string, V>,
  criteria: SuggestionEntry['criteria'],
  say: (was: V | undefined, is: V | undefined, name: string, ai: number | undefined) => string,
): string[] {
  return Object.keys({ ...before, ...after }).flatMap((id) => {
    const [was, is] = [before[id], after[id]]
    if (was === is) return []
    const criterion = criteria.find(({ criterion_id }) => criterion_id === id)
    const name = criterion ? criterionName(criterion, criteria) : 'a deleted question'
    return say(was, is, name, criterion?.score ?? undefined)
  })
}

/** Only a score set for the whole paper, not what points come to. */
function scoreChanged(
  before: Decision,
  after: Decision,
  ai: number | undefined,
  byPoints: boolean,
  criteria: SuggestionEntry['criteria'],
): string[] {
  const [was, is] = [before.manual_score_override, after.manual_score_override]
  if (was === is || (byPoints && (is === null || percentFromPoints(after.points, criteria) === is))) return []
  if (is === null)
    return [`took back their score${ai === undefined ? '' : `: the AI’s ${formatPercent(ai)} counts again`}`]
  if (was !== null) return [`changed the grade from ${formatPercent(was)} to ${formatPercent(is)}`]
  const instead = ai === undefined || ai === is ? '' : ` instead of the AI’s ${formatPercent(ai)}`
  return [`set the grade to ${formatPercent(is)}${instead}`]
}

function feedbackChanged({ manual_feedback: was }: Decision, { manual_feedback: is }: Decision): string {
  if (is === null) return 'removed their feedback; the AI summary is shown again'
  return was === null ? 'wrote feedback to the student' : 'changed the feedback to the student'
}

function wordsChanged(
  before: Record<string, string>,
  after: Record<string, string>,
  criteria: SuggestionEntry['criteria'],
): string[] {
  return changesByCriterion(before, after, criteria, (was, is, name) =>
    is === undefined
      ? `removed their feedback for ${name}; the AI’s is shown again`
      : `${was === undefined ? 'wrote' : 'changed the'} feedback for ${name}: “${is}”`,
  )
}

function approval({ needs_review }: Decision, final: number | undefined): string {
  const what = final === undefined ? 'the grade' : `the grade of ${formatPercent(final)}`
  return needs_review ? `reviewed the flagged paper and approved ${what}` : `approved ${what}`
}

function gradeChange(was: number | undefined, is: number | undefined): string[] {
  if (was === undefined || is === undefined || was === is) return []
  return [`The grade went from ${formatPercent(was)} to ${formatPercent(is)}.`]
}

type HistorySuggestions = Pick<GradeHistory, 'suggestions'>

/** In words for a teacher or a student's parent; unknown events are shown as logged. */
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
  'grade.approved': ({ before }, who) => {
    const { data } = z.object({ needs_review: z.boolean() }).safeParse(before)
    return {
      headline: `${who} approved this grade with ${data ? 'others they chose' : 'all other clear grades'}`,
      details: data?.needs_review ? ['It was flagged.'] : [],
    }
  },
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
  'submission.hand_in_said': ({ after }, who) => {
    const at = z.object({ at: z.string().nullable() }).safeParse(after).data?.at
    const when = at === 'on_time' ? 'on time' : at && `on ${formatDateTime(at)}`
    return {
      headline: when
        ? `${who} said that this paper was handed in ${when}`
        : `${who} removed the time when this paper was handed in`,
      details: [],
    }
  },
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
  'grade.exception_set': ({ after }, who) => ({
    headline: after ? `${who} gave one of the group other points` : `${who} removed an exception for one of the group`,
    details: [],
  }),
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

type Criterion = SuggestionEntry['criteria'][number]

function criterionName(criterion: Criterion, others: readonly Criterion[]): string {
  const { question_number, question_id, criterion_text } = criterion
  if (question_number === null) return `“${shorten(criterion_text, 60)}”`
  const several = others.filter((one) => one.question_id === question_id).length > 1
  return several ? `question ${question_number} (“${shorten(criterion_text, 60)}”)` : `question ${question_number}`
}

function questionName(id: string, { suggestions }: Pick<GradeHistory, 'suggestions'>): string {
  const known = suggestions
    .flatMap(({ criteria }) => criteria)
    .find(({ question_id, question_number }) => question_id === id && question_number !== null)
  return known ? `question ${known.question_number}` : 'a question'
}

interface EventDescription {
  headline: string
  details: string[]
  quote?: string | undefined
}
