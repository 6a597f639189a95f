import type { ColumnMeaning } from '@assay/shared/roster-columns.ts'

/** A heading small and with underscores: `SIS User-ID` is `sis_user_id`. */
export const normalizeHeading = (cell: string) =>
  cell
    .trim()
    .toLowerCase()
    .replace(/[\s_.-]+/g, '_')
    .replace(/^_|_$/g, '')

/** A column holds what its meaning says, or a person's login: the address at many schools, a name at others. */
export type HeadingKind = Exclude<ColumnMeaning, 'unused'> | 'login'

/**
 * What teachers and the systems they export from call each column, the surest first. Words are headings, normalized. `documented`:
 * those the API takes where a call does not say what the columns hold; `guessed`: only proposed to a teacher, who sees what is below.
 */
export const HEADINGS: Record<HeadingKind, { documented: string; guessed: string }> = {
  email: {
    documented: 'email e_mail email_address e_mail_address mail',
    guessed: 'student_email school_email user_email primary_email',
  },
  full_name: {
    documented: 'full_name name student_name student',
    guessed: 'display_name sortable_name lastfirst last_first learner pupil',
  },
  first_name: {
    documented: 'first_name first_names firstname given_name given_names forename vorname',
    guessed: 'first',
  },
  last_name: {
    documented: 'last_name lastname surname family_name nachname',
    guessed: 'last_names last',
  },
  // What a school calls its own number stands in for a SIS user ID.
  student_number: {
    documented:
      'sis_user_id sis_id student_id student_number student_no student_nr studentid id_number matriculation_number matriculation_no matr_nr matrikelnummer registration_number roll_number roll_no candidate_number',
    guessed:
      'student_sis_id student_num idnumber orgdefinedid org_defined_id admission_number local_student_id user_id',
  },
  lms_user_id: {
    documented: 'external_user_id external_id',
    guessed: 'canvas_user_id lms_user_id',
  },
  login: {
    documented: '',
    guessed: 'sis_login_id login_id username user_name user_login login',
  },
}

export const wordsOf = (words: string): string[] => words.split(' ').filter(Boolean)
