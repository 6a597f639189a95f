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
        <li>
          Your account: username, e-mail address and whether you have confirmed it, name, institution, which
          mails you want, and your password as a hash only.
        </li>
        <li>Your courses, and the papers uploaded to them, with the text read from them.</li>
        <li>Suggested grades, the words they rest on, and what a teacher decided.</li>
        <li>Who changed a grade, a role, a course’s members or a setting, and when.</li>
      </ul>
      <h2>How long</h2>
      <p>
        A submission goes with all that was made of it when your teacher deletes it, or the assignment it
        belongs to. Sign-ins go when you sign out or after twelve hours; mailed links when they are followed,
        or after an hour (new password), seven days (confirming an address) or 60 days (invitation). An
        account stays until whoever runs this copy deletes it. The record of who changed what stays.
      </p>
      <h2>Mail</h2>
      <p>
        We mail you links you ask for, invitations of your teachers, and news of your courses and grades as
        you choose in your profile. News goes only to an address you have confirmed, and an address that
        somebody else typed gets them nothing of yours. Mail goes out by the mail server of whoever runs this
        copy; there is no other sender, and no tracking in it.
      </p>
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
