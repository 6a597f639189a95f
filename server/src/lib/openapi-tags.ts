/** What each group of calls is about. */
export const tagWords: Record<string, string> = {
  auth: 'Accounts, signing in and out, mailed links.',
  profile: 'One’s own name, address, password and wishes.',
  courses: 'Courses and who is in them.',
  roster: 'Students of a course, one by one or by CSV.',
  assignments: 'Assignments: blank, answer key, dates, publishing.',
  submissions: 'Students’ papers.',
  matches: 'Whose paper a file is.',
  runs: 'Grading, from its start to its end.',
  grades: 'What the AI suggests and the teacher decides.',
  regrades: 'Students ask for another look.',
  analytics: 'How a course does.',
  students: 'What students see and hand in.',
  settings: 'How this Assay is set up.',
  admin: 'Accounts, figures and the audit log, for administrators.',
  'test-pages': 'For developers; there only while the test pages are on.',
}
