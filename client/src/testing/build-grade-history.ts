import type { GradeHistory } from '@assay/shared/grade-history.ts'
import { branded } from './branded.ts'

const at = (minute: number) => `2026-01-12T14:0${minute}:00Z`

/** Of submission 31: a model's suggestion, and an override after it. */
export function buildGradeHistory(): GradeHistory {
  return branded<GradeHistory>({
    format: 'assay-grade-history/1',
    submission_id: 31,
    assignment_id: 5,
    student_identifier: 'amutombo',
    paper: { file_name: 'amutombo.pdf', sha256: 'a'.repeat(64), handed_in_at: at(0) },
    final_score_after_review: 61,
    points: { given: 6.1, of: 10 },
    suggestions: [
      {
        grade_id: 9,
        current: true,
        at: at(2),
        grader: { name: 'openai/some-model', version: '1' },
        run_id: 4,
        rubric_version: 2,
        class_key: '5/4/abcd',
        inputs: { paper: 'a'.repeat(64), rubric: 'b'.repeat(64), answers: 'c'.repeat(64) },
        overall_score: 82.5,
        confidence: 0.8,
        reasons: ['The grader is unsure of the points for question 2.'],
        criteria: [
          {
            criterion_id: 'q1',
            question_id: 'q1',
            question_number: '1',
            criterion_text: 'Why does ice float on water?',
            score: 3,
            max_score: 5,
            confidence: 0.9,
          },
        ],
      },
    ],
    events: [
      {
        id: 77,
        at: at(5),
        action: 'grade.overridden',
        actor: { id: 3, username: 'mkeller', full_name: 'Martin Keller', role: 'instructor' },
        subjects: [],
        before: { manual_score_override: null },
        after: { manual_score_override: 61 },
      },
    ],
    calls: [
      {
        id: 12,
        at: at(1),
        run_id: 4,
        run_stopped: false,
        purpose: 'grade',
        provider: 'openai',
        model: 'some-model',
        prompt_version: '1',
        inputs: [{ kind: 'text', sha256: 'd'.repeat(64), bytes: 900 }],
        outcome: 'answered',
        error_code: null,
        raw: '{"criteria":[]}',
        input_tokens: 1200,
        output_tokens: 80,
        dollars: 0.04,
        ms: 1210,
        tries: 1,
      },
    ],
    blind_marks: [],
    cost: { input_tokens: 1200, output_tokens: 80, dollars: 0.04 },
  })
}
