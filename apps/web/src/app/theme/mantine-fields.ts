/** The styles of text fields, in Mantine's own order; imported beside the fields. */
import '@mantine/core/styles/UnstyledButton.css';
import '@mantine/core/styles/Input.css';
import '@mantine/core/styles/PasswordInput.css';
