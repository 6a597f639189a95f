export const createAssignmentPath = (courseId: number, chosen: readonly number[]) =>
  `/create-assignment?${new URLSearchParams({
    courseId: String(courseId),
    for: 'choice',
    ...(chosen.length > 0 ? { chosen: chosen.join(',') } : {}),
  })}`

export function choicePath(chosen: readonly string[], created?: number): string {
  const search = new URLSearchParams({
    ...(chosen.length > 0 ? { chosen: chosen.join(',') } : {}),
    ...(created === undefined ? {} : { created: String(created) }),
  })
  return search.size > 0 ? `/lti/choose?${search}` : '/lti/choose'
}
