/** Where the settings page has the score rules. */
export const SCORES_ID = 'scores'

/** What menus link to. */
export const scoreRulesPath = (assignmentId: number) => `/assignments/${assignmentId}/settings#${SCORES_ID}`
