import { type ApiError, messageOf } from '../../lib/api/api-error.ts'

/** Where the server had no words of its own (specification, point 8). */
export interface CourseErrorMessages {
  unexpected: string
  unreadable?: string
  unreachable: string
}

export const courseListErrors: CourseErrorMessages = {
  unexpected: 'An unexpected error occurred while fetching courses.',
  unreadable: 'An unexpected error occurred. Please try again.',
  unreachable: 'An unexpected network or server error occurred while fetching courses.',
}

export const createCourseErrors: CourseErrorMessages = {
  unexpected: 'An unexpected error occurred during course creation.',
  unreadable: 'An unexpected error occurred. Please check the details and try again.',
  unreachable: 'An unexpected network or server error occurred.',
}

export const courseErrors: CourseErrorMessages = {
  unexpected: 'An unexpected error occurred while fetching course details.',
  unreachable: 'An unexpected network or server error occurred while fetching course details.',
}

export const rosterErrors: CourseErrorMessages = {
  unexpected: 'Failed to load course details',
  unreachable: 'Failed to load course details',
}

export function courseErrorMessage(
  error: ApiError,
  { unexpected, unreadable, unreachable }: CourseErrorMessages,
): string {
  const own = messageOf(error, unexpected)
  if (own === unexpected) return unexpected
  if (isUnreadable(error)) return unreadable ?? unexpected
  const saysNothing = ['network_error', 'timeout', 'service_unavailable'].includes(error.code)
  return saysNothing && own === error.reply.message ? `${unreachable.replace(/\.?$/, '.')} ${own}` : own
}

const isUnreadable = (error: ApiError) => error.code === 'unexpected_error' && error.cause !== undefined

/** `gone`: the course was deleted while it was on screen. */
export function courseChangeErrorMessage(error: ApiError, gone: string, fallback: string): string {
  return error.status === 404 ? gone : messageOf(error, fallback)
}
