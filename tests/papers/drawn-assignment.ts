/** What a drawn assignment holds. The key's answers are printed on the key alone. */
export interface DrawnQuestion {
  /** As printed before the question, without the dot. */
  number: string
  prompt: string
  points: number
  /** Ruled lines left for the answer. */
  lines: number
  /** Choices of a multiple choice question, printed with A), B), C)… */
  choices?: string[]
  /** What the key gives, in its own words. */
  answer: string
  /** Other answers the key takes, printed after “or”. */
  alternatives?: string[]
}

export interface DrawnAssignment {
  title: string
  course: string
  instructions: string
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
  /** Words at the foot of the last page, in white on white. */
  hiddenInstruction?: string
  /** The same for everybody to see. */
  visibleInstruction?: string
  /** Seed of the scan's noise and skew. */
  seed?: number
}
