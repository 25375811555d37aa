/* The reader of PHP's serialize() format: any bytes end, inside their bounds. */
#include "parsers/php_serialize.h"

#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
	struct slice data = { (const char *)bytes, n }, key, text;
	struct php p = php_of(data);
	unsigned open = php_enter(&p);
	while (open > 0) {
		if (!php_member(&p, &key)) {
			open--;
			continue;
		}
		if (key.p < data.p || key.p + key.n > data.p + n)
			abort();
		if (php_type(&p) == PHP_ARRAY)
			open += php_enter(&p);
		else if (php_scalar(&p, &text) && (text.p < data.p || text.p + text.n > data.p + n))
			abort();
	}
	return 0;
}
