/**
 * What each model holds of a person, and what becomes of it: the one list that the export and the erasure are held to. The test beside it
 * fails for a model that is not here, for a path that may name a person and is not, and for what is said here and not done.
 */
export interface HeldData {
  /** Paths that name a person, refer to one or have one's words. Empty: none does. */
  paths: string[]
  /** Paths that look like it and do not. */
  other?: string[]
  /**
   * What an erasure does with what is the person's: `deleted`; `emptied`, where the document stays without it; `kept`, where a number is
   * left that leads to a placeholder; `expires`, by itself, as `note` says.
   */
  erasure: 'deleted' | 'emptied' | 'kept' | 'expires'
  /** `own`: in everybody's own export; `school`: only in that of an administrator; `none`: in no export, as `note` says. */
  export: 'own' | 'school' | 'none'
  note?: string
}

const nothing = (note: string, other: string[] = []): HeldData => ({
  paths: [],
  other,
  erasure: 'kept',
  export: 'none',
  note,
})

/** By the model's name. */
export const heldData: Record<string, HeldData> = {
  // People
  User: {
    paths: [
      'username',
      'username_key',
      'email',
      'email_key',
      'full_name',
      'institution',
      'student_number',
      'notifications',
    ],
    other: ['password_hash'],
    erasure: 'emptied',
    export: 'own',
    note: 'The row stays as a placeholder. The password’s hash is in no export.',
  },
  Session: { paths: ['user_id'], erasure: 'deleted', export: 'own' },
  SignInFailure: nothing('Keyed hashes of whom a wrong password was for, for half an hour.'),
  MailedLink: { paths: ['user_id', 'email_key'], erasure: 'deleted', export: 'none', note: 'Secrets for a mailbox.' },
  Erasure: {
    paths: ['account_ids', 'actor_id', 'submission_ids'],
    other: ['placeholder'],
    erasure: 'kept',
    export: 'none',
    note: 'That an account was deleted, when and on whose behalf.',
  },

  // Courses
  Course: {
    paths: ['instructor_ids', 'lms_instructor_ids', 'created_by'],
    other: ['name', 'description'],
    erasure: 'kept',
    export: 'own',
  },
  Enrollment: { paths: ['user_id', 'external_user_id', 'sis_user_id'], erasure: 'deleted', export: 'own' },
  PendingEnrollment: {
    paths: ['user_id', 'external_user_id', 'sis_user_id', 'email', 'invited_by'],
    erasure: 'deleted',
    export: 'own',
  },
  InvitationCount: {
    paths: ['user_id'],
    other: ['sent'],
    erasure: 'expires',
    export: 'none',
    note: 'How many invitations a teacher has sent on a day; two days.',
  },
  RosterImport: {
    paths: ['actor_id', 'file_name', 'notes'],
    erasure: 'expires',
    export: 'none',
    note: 'Words about a file as a whole; they go after a week.',
  },
  RosterStep: {
    paths: ['rows', 'failures'],
    erasure: 'emptied',
    export: 'school',
    note: 'Rows with the person’s address, or with name and number where the account has none; all of them go after a week.',
  },

  // Assignments
  Assignment: {
    paths: ['extensions', 'anonymous', 'created_by', 'score_rules', 'rubric_made', 'rubric_check'],
    other: ['rubric', 'blank.name', 'key.name', 'retention_notice'],
    erasure: 'kept',
    export: 'own',
    note: 'A student’s extension is deleted; who made the assignment stays as a number.',
  },
  Reminder: {
    paths: ['_id'],
    erasure: 'deleted',
    export: 'none',
    note: 'That a reminder was sent; gone after 30 days.',
  },
  RubricGeneration: {
    paths: ['actor_id'],
    erasure: 'kept',
    export: 'none',
    note: 'A number, until the rubric is made.',
  },
  RubricVersion: {
    paths: ['made'],
    other: ['rubric', 'questions'],
    erasure: 'kept',
    export: 'none',
    note: 'Who saved a rubric, as a number.',
  },
  RubricItem: {
    paths: ['author_id', 'changed_by'],
    other: ['text'],
    erasure: 'kept',
    export: 'none',
    note: 'A teacher’s sentence of the course; its author as a number.',
  },
  RubricAmendment: {
    paths: ['submission_id', 'text', 'answers', 'unchanged', 'changed', 'choice', 'created_by', 'undo'],
    erasure: 'deleted',
    export: 'none',
    note: 'Words a teacher has taken into the rubric stay there.',
  },

  // Papers
  Submission: {
    paths: ['student_id', 'student_identifier', 'file.name', 'grade', 'attempts', 'uploaded_by', 'failure'],
    other: ['turned_pages', 'match_reason', 'problems', 'file.photos'],
    erasure: 'deleted',
    export: 'own',
  },
  PhotoDraft: {
    paths: ['_id', 'user_id', 'pages'],
    erasure: 'deleted',
    export: 'own',
  },
  ClassScan: {
    paths: ['files', 'proposal', 'created_by', 'confirmed_by'],
    other: ['progress'],
    erasure: 'deleted',
    export: 'none',
    note: 'Until it is confirmed, a class’s pages are not yet anybody’s papers; deleted whole where a paper in it is proposed to be the person’s.',
  },
  ClassScanPage: {
    paths: ['hints', 'code'],
    other: ['written'],
    erasure: 'deleted',
    export: 'none',
    note: 'Deleted when the scan is confirmed or deleted.',
  },
  ClassScanStep: {
    paths: ['proposal'],
    erasure: 'deleted',
    export: 'none',
    note: 'Earlier proposals, to be undone; deleted with the scan’s pages.',
  },
  Reading: {
    paths: ['paper', 'sheets'],
    other: ['codes'],
    erasure: 'deleted',
    export: 'none',
    note: 'The text of the paper and the circles filled on it; the paper is in the export.',
  },
  PageTranscript: {
    paths: ['lines'],
    erasure: 'deleted',
    export: 'none',
    note: 'Of blanks and keys, unless a paper has the same content.',
  },
  AnswerReading: { paths: ['answers'], erasure: 'deleted', export: 'school' },
  Answers: {
    paths: ['extracted', 'as_read', 'printed_for'],
    erasure: 'deleted',
    export: 'school',
    note: 'On another’s paper with a copy printed for the person their number stays, which leads to a placeholder.',
  },
  Transcription: {
    paths: ['submission_id', 'text', 'read_text', 'corrected_by'],
    erasure: 'deleted',
    export: 'school',
  },

  // Grades
  GradeDetails: { paths: ['submission_id', 'criteria'], other: ['made'], erasure: 'deleted', export: 'school' },
  Release: {
    paths: ['student_id', 'feedback', 'criteria'],
    other: ['adjusted', 'feedback_by'],
    erasure: 'deleted',
    export: 'own',
  },
  RetainedGrade: {
    paths: ['placeholder'],
    erasure: 'kept',
    export: 'none',
    note: 'A released score under a placeholder, made by an erasure.',
  },
  Regrade: {
    paths: ['submission_id', 'student_id', 'reason', 'answer', 'answered_by', 'answering'],
    other: ['criterion', 'question', 'points'],
    erasure: 'deleted',
    export: 'own',
  },
  QuestionAnswer: {
    paths: ['submission_id', 'student_id', 'text', 'decided', 'decided_by', 'criteria', 'adjustments'],
    erasure: 'deleted',
    export: 'none',
    note: 'A copy of answers and points, for grading by question.',
  },
  QuestionChange: {
    paths: ['changes', 'actor_id'],
    other: ['item'],
    erasure: 'emptied',
    export: 'none',
    note: 'Points of answers by the paper’s number.',
  },
  GradeApproval: {
    paths: ['grades', 'actor_id', 'undo'],
    erasure: 'emptied',
    export: 'none',
    note: 'Which grades were approved at once, by number.',
  },
  AccuracyCheck: {
    paths: ['answers', 'started_by'],
    other: ['first_result', 'budget'],
    erasure: 'emptied',
    export: 'none',
    note: 'A sample’s places and figures stay, without whose they are.',
  },
  Print: {
    paths: ['copies', 'made_by'],
    other: ['names', 'sheet'],
    erasure: 'emptied',
    export: 'none',
    note: 'Random numbers on printed pages, and whose copy has which. Their own go; others’ stay.',
  },
  SimilarityReport: { paths: ['pairs', 'dismissed'], erasure: 'emptied', export: 'school' },
  Run: {
    paths: ['started_by', 'planned', 'class_submission_ids'],
    other: ['waiting'],
    erasure: 'kept',
    export: 'none',
    note: 'Numbers of papers.',
  },
  RunPaper: {
    paths: ['submission_id'],
    other: ['timeouts'],
    erasure: 'kept',
    export: 'none',
    note: 'Numbers of papers.',
  },
  Figures: nothing('Totals of a class.', ['grades', 'questions']),
  Changes: nothing('Counters.'),
  AnswerProjection: nothing('How far a copy has come.'),

  // AI models
  LlmCall: {
    paths: ['submission_id'],
    other: ['schema_name'],
    erasure: 'kept',
    export: 'none',
    note: 'That there was a request, with its cost and hashes.',
  },
  LlmAnswer: { paths: ['submission_id', 'raw'], erasure: 'deleted', export: 'school' },
  LlmSettings: nothing('Of Assay or a course.', ['values']),
  LlmTotals: nothing('Totals.'),
  LlmBudget: nothing('Totals.'),

  // LMSs
  LtiIdentity: { paths: ['user_id', 'sub'], erasure: 'deleted', export: 'own' },
  LtiMember: { paths: ['user_id', 'sub', 'name', 'email', 'sis_id'], erasure: 'deleted', export: 'own' },
  LtiScore: {
    paths: ['user_id', 'sub', 'submission_id', 'wanted', 'unsure', 'accepted', 'result'],
    other: ['reason'],
    erasure: 'deleted',
    export: 'own',
    note: 'The LMS keeps what is in its gradebook.',
  },
  LtiLaunch: { paths: ['user_id', 'for_user_id', 'identity'], other: ['deep_link'], erasure: 'deleted', export: 'own' },
  LtiContext: nothing('An LMS’s course.', ['roster', 'sync']),
  LtiDeepLinkResponse: nothing('Which assignments were linked.'),
  LtiLaunchLog: nothing('Launches by LMS and role.', ['scopes']),
  LtiUsedLogin: nothing('Random numbers of logins.'),
  LtiNonce: nothing('Random numbers.'),
  LtiKey: nothing('Our keys.'),
  LtiLink: nothing('Places in an LMS’s course.', ['gone']),
  LtiLedgerDue: nothing('Assignments whose scores changed.'),
  LtiPlatform: {
    paths: ['created_by', 'approved_by'],
    other: ['name', 'deployments', 'registration', 'proposed', 'scopes'],
    erasure: 'kept',
    export: 'none',
    note: 'Which administrator added an LMS, as a number.',
  },
  LtiPlatformPause: nothing('Why an LMS takes no scores.'),
  LtiRegistrationLink: {
    paths: ['created_by'],
    other: ['failed'],
    erasure: 'kept',
    export: 'none',
    note: 'Who made a link, as a number, for 37 days.',
  },
  LtiSelfTest: nothing('What a self-test found; a day.', ['checks']),

  // The system
  Audit: {
    paths: ['actor_id', 'subject', 'before', 'after'],
    erasure: 'emptied',
    export: 'own',
    note: 'That something was done stays; words go.',
  },
  Job: {
    paths: ['payload'],
    other: ['name', 'error'],
    erasure: 'deleted',
    export: 'none',
    note: 'Mail to the person that waits. Mail to others that names them is sent within minutes.',
  },
  FailedJob: {
    paths: ['error'],
    other: ['name'],
    erasure: 'deleted',
    export: 'none',
    note: 'A mail server’s words about an address; 30 days.',
  },
  Settings: nothing('Of Assay.', ['values']),
  Installation: nothing('Of Assay.'),
  ClientFile: nothing('The program that browsers load.'),
  DemoMark: nothing('Of the demo.'),
  Counter: nothing('Counters.'),
  Process: nothing('Which processes of Assay run.'),
}
