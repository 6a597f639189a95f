interface FeedbackParts {
  item_feedback?: readonly string[] | undefined
  teacher_feedback?: string | null | undefined
  llm_feedback: string
}

/** The items' and the teacher's own; the AI's only where there are neither. */
export function criterionFeedback({ item_feedback = [], teacher_feedback, llm_feedback }: FeedbackParts): {
  text: string
  by: 'teacher' | 'ai'
} {
  const own = [...item_feedback, teacher_feedback ?? ''].map((words) => words.trim()).filter((words) => words !== '')
  return own.length > 0 ? { text: [...new Set(own)].join('\n'), by: 'teacher' } : { text: llm_feedback, by: 'ai' }
}
