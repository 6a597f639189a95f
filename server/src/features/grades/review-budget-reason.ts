/** The code of the review reason of papers that a teacher has flagged by a review budget; graders never give it. */
export const REVIEW_BUDGET = 'review_budget'
