import { guardStdoutEarly } from './transport/stdout-guard';

// As the first import of a program this comes before whatever else its modules do.
guardStdoutEarly();
