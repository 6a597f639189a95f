import { LegalText } from './LegalText.tsx'

export function PrivacyPage() {
  return (
    <LegalText title="Privacy">
      <p>
        Whoever runs this copy of Assay, usually your school, is responsible for what is kept here. Ask them
        first.
      </p>
      <h2>What is kept</h2>
      <ul>
        <li>Your account: username, e-mail address, name, institution, and your password as a hash only.</li>
        <li>Your courses, and the papers uploaded to them, with the text read from them.</li>
        <li>Suggested grades, the words they rest on, and what a teacher decided.</li>
      </ul>
      <h2>Who sees it</h2>
      <p>
        A student’s work is seen by that student, by those who teach the course, and by administrators, whose
        opening of a course is recorded. Nobody else’s work is shown to students, and no grade before it is
        released.
      </p>
      <h2>The AI</h2>
      <p>
        Papers are read and graded by a program that is part of Assay and runs on this server. Nothing of a
        paper leaves it for grading, and no other company’s AI is asked.
      </p>
      <h2>In your browser</h2>
      <p>
        Assay keeps your sign-in in the browser’s storage until you sign out or twelve hours have passed.
        There is no advertising, no tracking, and nothing is loaded from other sites.
      </p>
    </LegalText>
  )
}
