import type { Paper } from '@assay/shared/papers.ts'
import { QuestionKind, type Rubric } from '@assay/shared/rubrics.ts'
import { z } from 'zod'
import type { Picture } from '../../grader.ts'
import { visibleLines } from '../../layout/paper-lines.ts'
import type { LlmMessagePart } from '../../llm/llm-request.ts'

/** Increment with every change of a word below. */
export const RUBRIC_PROMPT_VERSION = 'rubric-2'

const MAX_PAPER_LENGTH = 120_000 // characters per paper, about 60 dense pages

export const RubricResponse = z.object({
  questions: z.array(
    z.object({
      id: z.string().describe('the id from the draft; empty for a question the draft does not have'),
      number: z.string().describe('as printed'),
      prompt: z.string().describe('as printed, word for word; empty when the draft has it right'),
      kind: QuestionKind,
      points_as_printed: z
        .string()
        .describe(
          'what the papers print of its points, letter for letter, as “[3 marks]”; empty where they print nothing',
        ),
      criteria: z.array(
        z.object({
          text: z.string().describe('what points are given for, in a few words'),
          points: z.number(),
          expected: z.string().describe("the key's answer, in the key's own words; empty when it gives none"),
          alternatives: z.array(z.string()).describe('other answers the key accepts'),
          levels: z.array(z.object({ points: z.number(), text: z.string() })),
        }),
      ),
    }),
  ),
})
export type RubricResponse = z.infer<typeof RubricResponse>
export type RubricResponseQuestion = RubricResponse['questions'][number]

export const RUBRIC_SYSTEM_PROMPT = `You read a teacher's test (the blank) and its answer key, and complete the rubric the test is graded by.

- A draft made by simple rules is given, with what the rules could not make out. Keep what is right in it, and its ids.
- Give every question and every part that is answered and graded by itself, in the order they are printed. Headings and instructions are no questions.
- Pictures of the pages may follow the text. They show what the text does not: which option of the key is ringed, ticked, bold or coloured, which marks belong to which row, formulas and figures. Where text and picture differ, the picture is right.
- number is as printed, with its parts: “3 b ii”. Where the draft has a question's number wrong, correct it; where it has its prompt wrong, give the whole prompt as printed.
- A question's points are what is printed; the points of its criteria add up to them. Use several criteria only where the key itself gives points for several things.
- expected is the key's answer in the key's own words. Write nothing there that the key does not say, however right it would be. Leave it empty when the key gives no answer.
- alternatives are other answers the key says it accepts.
- levels only where the key says what earns part of the points; else leave the list empty.
- kind: choice (one or more of printed options), true_false, number, set (a list in any order), ordered_list, formula, text (a few sentences at most), essay (longer, or a proof), drawing.`

export interface RubricPicture {
  title: string
  picture: Picture
}

/** They are the teacher's, and name no student. */
export function rubricPromptParts(
  draft: Rubric,
  blank: Paper,
  key: Paper,
  pictures: readonly RubricPicture[] = [],
): LlmMessagePart[] {
  const { questions, problems } = draft
  const draftQuestions = questions.map(({ id, number, prompt, kind, criteria }) => ({
    id,
    number,
    prompt,
    kind,
    criteria,
  }))
  return [
    { text: `# The blank\n\n${paperText(blank)}` },
    { text: `# The key\n\n${paperText(key)}` },
    { text: `# The draft\n\n${JSON.stringify(draftQuestions, null, 1)}` },
    {
      text: `# What the rules could not make out\n\n${problems.length > 0 ? problems.map(({ message }) => `- ${message}`).join('\n') : 'Nothing; look it over.'}`,
    },
    ...pictures.flatMap(({ title, picture }): LlmMessagePart[] => [{ text: `${title}:` }, { picture }]),
  ]
}

export function paperText(paper: Paper): string {
  const lines: string[] = []
  let page = 0
  for (const line of visibleLines(paper)) {
    if (line.page !== page) {
      page = line.page
      lines.push(`[page ${page}]`)
    }
    lines.push(line.text)
  }
  return lines.join('\n').slice(0, MAX_PAPER_LENGTH)
}
