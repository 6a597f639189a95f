export interface DrawnQuestion {
  /** As printed before the question, without the dot. */
  number: string
  prompt: string
  points: number
  lines: number
  /** Printed with A), B), C)… */
  choices?: string[]
  answer: string
  alternatives?: string[]
  scheme?: string[]
  /** What the mark scheme says beside the first of them. */
  guidance?: string
}

export interface DrawnAssignment {
  title: string
  course: string
  instructions: string
  /** Printed by an exam board, with a mark scheme for its key; else a quiz with ruled lines. */
  layout?: 'board'
  questions: DrawnQuestion[]
}

export interface DrawnStudent {
  username: string
  full_name: string
  email: string
  student_number: string
}

/** `form`: answers are values of form fields. `rotated`: the page is stored on its side and shown upright. */
export type PaperStyle = 'typed' | 'scanned' | 'form' | 'rotated'

export interface PaperExtras {
  hiddenInstruction?: string
  visibleInstruction?: string
  seed?: number
}
