/** Creating an assignment on the way, with what is chosen so far to come back to. */
export const createAssignmentPath = (courseId: number, chosen: readonly number[]) =>
  `/create-assignment?${new URLSearchParams({
    courseId: String(courseId),
    for: 'choice',
    ...(chosen.length > 0 ? { chosen: chosen.join(',') } : {}),
  })}`
