// Runs a group on this machine: first and second operand in every combination, the third goes along.
template <typename Case>
void run(const std::vector<u64>& a, const std::vector<u64>& b, const std::vector<u64>& c, size_t count) {
    std::vector<u64> results(count);
    for (size_t k = 0; k < count; ++k) {
        const size_t i = k % a.size(), j = k / a.size();
        results[k] = Case::run(a[i], b[j % b.size()], c[(5 * i + 7 * j) % c.size()]);
    }
    fwrite(results.data(), sizeof(u64), count, stdout);
}

