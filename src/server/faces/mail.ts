/** Mail over SMTP. */

export type Mail = { to: string; subject: string; text: string };

/** Sends one mail; rejects when the server does not take it. */
export type SendMail = (mail: Mail) => Promise<void>;

/** Timeout of each step of a mail server, ms; someone is waiting in front of a form. */
const timeoutMs = 15_000;

/** Mail through a server such as `smtps://user:password@mail.example.org`. Every mail has a connection of its own. */
export async function createMailer(smtpUrl: string, from: string): Promise<SendMail> {
  // Loaded here, as most services send no mail.
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  return async ({ to, ...mail }) => {
    // As an object, so that its parts are not taken for a list of addresses, or decoded.
    await transport.sendMail({ from, to: { name: '', address: to }, ...mail });
  };
}
