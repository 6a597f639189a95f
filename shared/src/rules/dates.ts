import { z } from 'zod'

export const lateRules = ['accept', 'mark_late', 'refuse'] as const
export const LateRule = z.enum(lateRules)
export type LateRule = z.infer<typeof LateRule>

/** An IANA name, such as `Europe/Berlin`. */
export const TimeZone = z.string().max(50).refine(isTimeZone, 'Please choose a time zone')

function isTimeZone(name: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }) !== null
  } catch {
    return false
  }
}

/** Other years are typing errors. */
export const PlannedTime = z.iso
  .datetime({ error: 'Please enter a date and a time' })
  .refine((moment) => /^20\d\d-/.test(moment), 'Please enter a date between 2000 and 2099')

/** None set: open from publishing on. */
export interface AssignmentDates {
  available_at: Date | null
  due_at: Date | null
  closes_at: Date | null
  late_rule: LateRule
}

/** Without a closing date the assignment's holds, but not before the new due date. Time is never shortened. */
interface ExtendedDates {
  due_at: Date
  closes_at: Date | null
}

/** `overdue`: still accepted, marked late where the rule says so. */
export const WindowState = z.enum(['upcoming', 'open', 'overdue', 'closed'])
export type WindowState = z.infer<typeof WindowState>

export interface HandInWindow {
  state: WindowState
  /** Also after it has closed, as a teacher may take a paper then. */
  late: boolean
  due_at: Date | null
  closes_at: Date | null
}

const minuteOf = (moment: Date) => Math.floor(moment.getTime() / 60_000)

/** To the end of its minute, since screens show no seconds. */
export const isPast = (date: Date, now: Date): boolean => minuteOf(now) > minuteOf(date)

export function handInWindow(dates: AssignmentDates, extension: ExtendedDates | null, now: Date): HandInWindow {
  const due_at = extension && dates.due_at ? laterOf(dates.due_at, extension.due_at) : dates.due_at
  const closes_at = extension ? extendedClosingDate(extension, dates) : dates.closes_at
  const isOverdue = due_at !== null && isPast(due_at, now)
  const window = { due_at, closes_at, late: isOverdue && dates.late_rule === 'mark_late' }
  if (dates.available_at && isPast(now, dates.available_at)) return { ...window, state: 'upcoming' }
  if (closes_at && isPast(closes_at, now)) return { ...window, state: 'closed' }
  if (!isOverdue) return { ...window, state: 'open' }
  return { ...window, state: dates.late_rule === 'refuse' ? 'closed' : 'overdue' }
}

const laterOf = (a: Date, b: Date) => (a > b ? a : b)

function extendedClosingDate(extension: ExtendedDates, { closes_at }: AssignmentDates): Date | null {
  if (!closes_at) return extension.closes_at
  return laterOf(closes_at, extension.closes_at ?? extension.due_at)
}

export interface DateProblem {
  field: 'available_at' | 'due_at' | 'closes_at'
  message: string
}

/** In the order of dates, each at the later of the two. */
export function dateProblems({ available_at, due_at, closes_at }: Omit<AssignmentDates, 'late_rule'>): DateProblem[] {
  const problems: DateProblem[] = []
  if (available_at && due_at && due_at <= available_at)
    problems.push({ field: 'due_at', message: 'The due date must be after the opening date.' })
  if (due_at && closes_at && closes_at < due_at)
    problems.push({ field: 'closes_at', message: 'The closing date must not be before the due date.' })
  else if (available_at && closes_at && closes_at <= available_at)
    problems.push({ field: 'closes_at', message: 'The closing date must be after the opening date.' })
  return problems
}

export function extensionProblems(extension: ExtendedDates, dates: AssignmentDates): DateProblem[] {
  const problems: DateProblem[] = []
  if (!dates.due_at)
    problems.push({ field: 'due_at', message: 'This assignment has no due date that could be extended.' })
  else if (extension.due_at <= dates.due_at)
    problems.push({ field: 'due_at', message: 'The extended due date must be after the assignment’s.' })
  if (extension.closes_at && extension.closes_at < extension.due_at)
    problems.push({ field: 'closes_at', message: 'The closing date must not be before the due date.' })
  return problems
}
