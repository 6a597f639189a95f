export const SCORES_ID = 'scores'

export const scoreRulesPath = (assignmentId: number) => `/assignments/${assignmentId}/settings#${SCORES_ID}`
