import { scrollWithinContainer } from '../../lib/scroll-within-container.ts'

export const toGradeMark = { 'data-to-grade': true }

/** Focuses the next empty field that only a person can grade, cyclically; false for none. */
export function focusNextToGrade(): boolean {
  const fields = [...document.querySelectorAll<HTMLInputElement>('[data-grade-card] [data-to-grade]')]
  const at = fields.findIndex((field) => field.matches(':focus'))
  const next = [...fields.slice(at + 1), ...fields.slice(0, at)].find((field) => field.value.trim() === '')
  if (!next) return false
  scrollWithinContainer(next.closest('li') ?? next)
  next.focus({ preventScroll: true })
  return true
}
